/**
 * Test cases that all ranks run together, and the program that runs them under {@code mpirun}.
 *
 * <p>A suite is a class with a public constructor without parameters that implements {@link
 * io.skerry.testkit.ranked.RankedCases}. It uses no test framework, so JUnit can run it with
 * threads as ranks, and {@link io.skerry.testkit.ranked.RankedSuite} can run it in each process of
 * an MPI job.
 */
package io.skerry.testkit.ranked;
