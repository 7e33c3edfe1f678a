package io.skerry.testkit.mpi;

import java.util.List;

/** A suite of tests for any number of ranks, the same list on every rank. */
public interface RankedCases {
  /** The tests, in the order to run. */
  List<RankedCase> cases();
}
