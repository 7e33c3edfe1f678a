/** The shared chunk cache. Start at {@code ChunkCache}. */
package io.skerry.cache;
