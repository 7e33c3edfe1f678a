package io.skerry.testkit.matrix;

/** The number of datasets that a call writes. */
public enum Datasets {
  /** One dataset. */
  ONE(1),
  /** Three datasets of different storage, in which the ranks exchange their parts. */
  SEVERAL(3);

  private final int count;

  Datasets(int count) {
    this.count = count;
  }

  int count() {
    return count;
  }
}
