/**
 * Communicators and files that fail on request, and a recorder of the states that a crash can leave
 * on disk. {@link io.skerry.mpi.Schedule} injects failures of messages instead. Start at {@link
 * io.skerry.testkit.fault.ProbedCommunicator}.
 */
package io.skerry.testkit.fault;
