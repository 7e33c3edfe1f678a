/**
 * Decides when a request may run: order of conflicting requests of one dataset, deadlock detection,
 * and admission by memory. Start at {@link RequestOrder} and {@link Admission}.
 */
package io.skerry.cache.scheduling;
