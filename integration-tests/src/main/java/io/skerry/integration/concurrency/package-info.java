/**
 * Many threads, and ranks with reader threads, on one open file. Each thread takes random steps,
 * records its own writes, and checks that each value it reads is one that may be there. Start at
 * {@link io.skerry.integration.concurrency.ConcurrentThreads}.
 */
package io.skerry.integration.concurrency;
