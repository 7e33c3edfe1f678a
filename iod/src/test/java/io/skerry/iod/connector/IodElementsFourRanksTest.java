package io.skerry.iod.connector;

/** Runs the tests on four ranks, which all do the same. */
class IodElementsFourRanksTest extends IodElementsTest {
  @Override
  int ranks() {
    return 4;
  }
}
