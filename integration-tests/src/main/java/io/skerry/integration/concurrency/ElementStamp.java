package io.skerry.integration.concurrency;

/**
 * The content of an element: the member of {@link ConcurrentThreads} that wrote it, and the number
 * of the write. An element with the value 0 was never written, or was erased.
 *
 * @param member the number of the member, from 0
 * @param write the number of the write, from 1; equal in all elements of one write
 */
record ElementStamp(int member, int write) {
  private static final int SHIFT = 24;

  int number() {
    return (member + 1) << SHIFT | write;
  }

  static ElementStamp of(int number) {
    return new ElementStamp((number >>> SHIFT) - 1, number & ((1 << SHIFT) - 1));
  }
}
