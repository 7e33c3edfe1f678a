/**
 * Tests that every rank runs together, and the ways to run them: on threads of one JVM, and under
 * {@code mpirun}.
 *
 * <p>A suite is a class with a public constructor without parameters that implements {@link
 * io.skerry.testkit.mpi.RankedCases}; it names no test framework, so the same suite runs inside
 * JUnit over {@code LocalRanks} and inside each process of {@link
 * io.skerry.testkit.mpi.RankedSuite}. {@link io.skerry.testkit.mpi.CommunicatorConformance}, {@link
 * io.skerry.testkit.mpi.MessageConformance} and {@link io.skerry.testkit.mpi.MpiFileConformance}
 * are what every back end of message passing must pass. Start at {@code RankedCases}.
 */
package io.skerry.testkit.mpi;
