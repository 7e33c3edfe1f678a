package io.skerry.iod.connector;

/** Runs the tests on two ranks, which all do the same. */
class IodCellsTwoRanksTest extends IodCellsTest {
  @Override
  int ranks() {
    return 2;
  }
}
