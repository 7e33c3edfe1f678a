package io.skerry.format.btree;

import io.skerry.exception.FormatException;

/**
 * The minimum and maximum number of records per node. They are the limits of the HDF5 library,
 * which relies on both when it changes a tree.
 *
 * @param shape the capacity of the nodes
 * @param parameters the parameters of the tree
 */
record BTree2Limits(BTree2Shape shape, BTree2Parameters parameters) {
  /**
   * Checks the parameters.
   *
   * @throws FormatException if nodes cannot be split and merged within the limits, or if a node is
   *     too large to be written
   */
  BTree2Limits {
    int split = parameters.splitPercent();
    int merge = parameters.mergePercent();
    if (split < 1 || split > 100 || merge < 1 || merge >= split / 2) {
      throw new FormatException(
          "split and merge percent of a B-tree",
          "1 to 100, merge below half of split",
          split + " and " + merge);
    }
    if (parameters.nodeSize() > Integer.MAX_VALUE / 2) {
      throw new FormatException("B-tree node to write", "below 2^30 bytes", parameters.nodeSize());
    }
    if (shape.level(0).most() * split / 100 < 2) {
      throw new FormatException(
          "records in a B-tree leaf before it is split",
          "at least 2",
          shape.level(0).most() * split / 100);
    }
  }

  /**
   * Returns the maximum number of records in a node of the given level.
   *
   * @throws FormatException if a tree with nodes of this size cannot have such a level, or if the
   *     maximum is less than 2
   */
  int most(int level) {
    requireLevel(level);
    int most = shape.level(level).most() * parameters.splitPercent() / 100;
    if (most < 2) {
      throw new FormatException("records in a B-tree node of level " + level, "at least 2", most);
    }
    return most;
  }

  /**
   * Checks that a tree with nodes of this size can have the given level.
   *
   * @throws FormatException if it cannot
   */
  void requireLevel(int level) {
    if (level >= shape.levels().size()) {
      throw new FormatException(
          "levels of a B-tree with nodes of " + parameters.nodeSize() + " bytes",
          "at most " + shape.levels().size(),
          level + 1);
    }
  }

  /**
   * Returns the minimum number of records in a node of the given level. The minimum does not apply
   * to the root.
   */
  int fewest(int level) {
    return Math.max(1, shape.level(level).most() * parameters.mergePercent() / 100);
  }

  /** Returns the maximum number of records in a subtree whose top node has the given level. */
  long mostBelow(int level) {
    long total = most(0);
    for (int i = 1; i <= level; i++) {
      total = (most(i) + 1) * total + most(i);
    }
    return total;
  }
}
