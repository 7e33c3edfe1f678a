package io.skerry.iod.connector;

/** Runs the tests on two ranks, which all do the same. */
class IodObjectsTwoRanksTest extends IodObjectsTest {
  @Override
  int ranks() {
    return 2;
  }
}
