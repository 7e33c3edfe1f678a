/**
 * Decides when a request to the cache may run: orders conflicting requests to a dataset, detects
 * deadlocks, and admits requests when there is enough memory. Start at {@link RequestOrder} and
 * {@link Admission}.
 */
package io.skerry.cache.scheduling;
