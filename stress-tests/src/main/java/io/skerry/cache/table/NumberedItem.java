package io.skerry.cache.table;

/**
 * An element of the tables in the stress tests. Its fields are not final, so that unsafe
 * publication is detected.
 */
final class NumberedItem implements NumberTable.Numbered {
  /** The value that represents absence. */
  static final int NONE = -1;

  private long number;
  private int value;

  NumberedItem(long number, int value) {
    this.number = number;
    this.value = value;
  }

  /** Returns an empty table. */
  static NumberTable<NumberedItem> table() {
    return new NumberTable<>(new NumberedItem(0, NONE));
  }

  /** Returns numbers for which a search begins at the same slot in a table that has not grown. */
  static long[] colliding(int count) {
    NumberTable<NumberedItem> table = table();
    table.putIfAbsent(new NumberedItem(0, 0));
    long[] numbers = new long[count];
    long candidate = 1;
    for (int i = 0; i < count; candidate++) {
      // Two slots are examined: that of the only entry and the free slot after it.
      if (table.probes(candidate) == 2) {
        numbers[i++] = candidate;
      }
    }
    return numbers;
  }

  @Override
  public long number() {
    return number;
  }

  int value() {
    return value;
  }
}
