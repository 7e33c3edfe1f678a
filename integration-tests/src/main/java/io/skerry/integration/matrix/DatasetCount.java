package io.skerry.integration.matrix;

/** The number of datasets that a call writes. */
public enum DatasetCount {
  /** One dataset. */
  ONE(1),
  /** Three datasets of different storage; each rank writes a different part of each. */
  SEVERAL(3);

  private final int count;

  DatasetCount(int count) {
    this.count = count;
  }

  int count() {
    return count;
  }
}
