/**
 * The chunk cache of one open file. Start at {@link ChunkCache}, which combines the other packages
 * of the module.
 */
package io.skerry.cache.core;
