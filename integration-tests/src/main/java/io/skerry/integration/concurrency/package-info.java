/**
 * Many threads, and ranks with reader threads, on one open file. Each thread takes random steps,
 * records its own writes, and checks that each value that it reads is possible. Start at {@link
 * io.skerry.integration.concurrency.ConcurrentThreads}.
 */
package io.skerry.integration.concurrency;
