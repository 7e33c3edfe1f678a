/**
 * Types that callers of the cache use or implement: chunk keys, the interface to the stored chunks,
 * changes to chunks, readers of slices, and the worker pool. Start at {@link ChunkStore}.
 */
package io.skerry.cache.api;
