package io.skerry.integration.matrix;

/** The number of datasets that a call writes. */
public enum DatasetCount {
  /** One dataset. */
  ONE(1),
  /**
   * Three datasets with different storage; the assignment of the parts to the ranks rotates from
   * one dataset to the next.
   */
  SEVERAL(3);

  private final int count;

  DatasetCount(int count) {
    this.count = count;
  }

  int count() {
    return count;
  }
}
