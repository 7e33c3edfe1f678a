/**
 * Communicators and files that fail on request, and a recorder of the states that a crash can leave
 * on disk. {@link io.skerry.mpi.Schedule} instead makes ranks fail when they communicate. Start at
 * {@link io.skerry.testkit.fault.ProbedCommunicator}.
 */
package io.skerry.testkit.fault;
