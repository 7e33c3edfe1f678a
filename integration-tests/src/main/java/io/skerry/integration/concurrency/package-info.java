/**
 * Tests one open file that is used by many threads, or by ranks with reader threads. Each thread
 * performs random operations and checks the values that it reads against the writes that it knows
 * about. Start at {@link io.skerry.integration.concurrency.ConcurrentThreads}.
 */
package io.skerry.integration.concurrency;
