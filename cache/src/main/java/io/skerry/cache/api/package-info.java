/**
 * Types that callers of the cache use or implement: chunk keys, the store of the chunks, changes of
 * chunks, readers of slices, and the worker pool. Start at {@link ChunkStore}.
 */
package io.skerry.cache.api;
