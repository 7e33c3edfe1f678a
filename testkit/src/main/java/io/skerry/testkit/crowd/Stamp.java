package io.skerry.testkit.crowd;

/**
 * What an element says: who wrote it, and in which of its writes. 0 is an element that nobody
 * wrote.
 *
 * @param member from 0
 * @param write from 1; all elements of one write have the same
 */
record Stamp(int member, int write) {
  private static final int SHIFT = 24;

  int number() {
    return (member + 1) << SHIFT | write;
  }

  static Stamp of(int number) {
    return new Stamp((number >>> SHIFT) - 1, number & ((1 << SHIFT) - 1));
  }
}
