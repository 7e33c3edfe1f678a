package io.skerry.iod.connector;

/** Runs the tests on two ranks, which all do the same. */
class IodElementsTwoRanksTest extends IodElementsTest {
  @Override
  int ranks() {
    return 2;
  }
}
