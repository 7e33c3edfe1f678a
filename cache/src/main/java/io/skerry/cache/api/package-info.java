/**
 * Types that a caller of the cache names, implements or passes in: chunk keys, the backing store,
 * changes of chunks, readers of slices, the worker pool.
 */
package io.skerry.cache.api;
