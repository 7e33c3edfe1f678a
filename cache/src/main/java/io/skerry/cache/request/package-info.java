/**
 * Serves reads, writes and queries for defined elements: looks up chunks, loads missing chunks, and
 * creates and publishes new versions. Start at {@link Reads} and {@link Writes}.
 */
package io.skerry.cache.request;
