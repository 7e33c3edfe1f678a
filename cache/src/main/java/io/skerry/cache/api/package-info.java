/**
 * Types that a caller of the cache names, implements or passes in: chunk keys, the backing store,
 * changes of chunks, readers of slices, the worker pool. Start at {@link ChunkStore}.
 */
package io.skerry.cache.api;
