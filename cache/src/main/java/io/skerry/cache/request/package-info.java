/**
 * Serves reads, writes and queries for defined elements: looks up chunks, loads missing ones, makes
 * and publishes new versions.
 */
package io.skerry.cache.request;
