/**
 * Keeps the cache within its limits: finds victims, stores dirty ones, adapts the limit to the
 * reuse that it sees.
 */
package io.skerry.cache.eviction;
