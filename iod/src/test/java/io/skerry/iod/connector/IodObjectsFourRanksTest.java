package io.skerry.iod.connector;

/** Runs the tests on four ranks, which all do the same. */
class IodObjectsFourRanksTest extends IodObjectsTest {
  @Override
  int ranks() {
    return 4;
  }
}
