/**
 * Collective files that fail where a test wants it, and a recorder that shows what a crash could
 * have left on disk. Failures of messages are injected by {@link io.skerry.mpi.Schedule} instead.
 * Start at {@link io.skerry.testkit.fault.ProbedCommunicator}.
 */
package io.skerry.testkit.fault;
