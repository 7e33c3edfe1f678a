package io.skerry.testkit.matrix;

/** How many datasets a call writes to. */
public enum Datasets {
  /** One. */
  ONE(1),
  /** Three of different storage, where the ranks change places. */
  SEVERAL(3);

  private final int count;

  Datasets(int count) {
    this.count = count;
  }

  int count() {
    return count;
  }
}
