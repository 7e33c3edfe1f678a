package io.skerry.testkit.ranked;

import io.skerry.mpi.LocalRanks;

/**
 * A test that all ranks run together. The test fails if its body throws an exception on any rank.
 *
 * @param name a sentence in snake case
 * @param body the program of each rank, which receives a separate communicator for this test
 */
public record RankedCase(String name, LocalRanks.Body body) {}
