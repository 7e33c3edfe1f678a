package io.skerry.testkit.mpi;

import io.skerry.mpi.LocalRanks;

/**
 * One test, run by all ranks together. It fails if it throws on any rank.
 *
 * @param name a sentence in snake case
 * @param body what each rank does, on a communicator of the test's own
 */
public record RankedCase(String name, LocalRanks.Body body) {}
