/** The chunk cache of one open file. Start at {@link ChunkCache}. */
package io.skerry.cache.core;
