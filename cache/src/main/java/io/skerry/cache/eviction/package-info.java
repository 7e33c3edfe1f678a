/**
 * Keeps the cache within its limits: selects victims, stores dirty chunks, and adapts the limit to
 * the observed reuse. Start at {@link Evictor}.
 */
package io.skerry.cache.eviction;
