/**
 * Decides when a request may run: the order of conflicting requests of one dataset, deadlock
 * detection, and the shares of memory.
 */
package io.skerry.cache.scheduling;
