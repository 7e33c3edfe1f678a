/**
 * The part of the chunk cache that programs use: its options and statistics, the eviction policies,
 * and the exception thrown for an interrupted request. Start at {@link CacheOptions}. The cache
 * itself is in {@code io.skerry.cache.core}.
 *
 * <p>All methods are local and thread-safe; they do not fail unless their documentation states
 * otherwise. No argument may be null: a null causes a {@link NullPointerException}.
 */
package io.skerry.cache;
