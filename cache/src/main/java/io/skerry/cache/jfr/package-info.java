/**
 * Events of the cache for the Java Flight Recorder. Start at {@link CacheEvents}, through which the
 * other packages record them.
 */
package io.skerry.cache.jfr;
