/**
 * Options and statistics of the chunk cache, the choice of an eviction policy, and the exception of
 * an interrupted request. Start at {@link CacheOptions}. The cache itself is in {@code
 * io.skerry.cache.core}.
 */
package io.skerry.cache;
