package io.skerry.testkit.ranked;

import java.util.List;

/** A suite of tests for any number of ranks, in the same order on every rank. */
public interface RankedCases {
  /** Returns the tests in the order in which they run. */
  List<RankedCase> cases();
}
