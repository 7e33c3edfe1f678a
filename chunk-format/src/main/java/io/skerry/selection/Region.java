package io.skerry.selection;

import io.skerry.chunk.dataspace.HyperslabDimension;
import io.skerry.chunk.dataspace.SpanTree;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A union of blocks that is not a regular hyperslab, in canonical form, so that equal sets are
 * equal values. Returned by the operations of {@link Selection}. Immutable.
 */
public final class Region implements Selection {
  private final SpanTree tree;

  private Region(SpanTree tree) {
    this.tree = tree;
  }

  /**
   * Returns the simplest selection that contains exactly the elements of a set. Local, thread-safe;
   * does not fail.
   */
  static Selection of(SpanTree tree) {
    if (tree.isEmpty()) {
      return NoneSelection.NONE;
    }
    return regular(tree).<Selection>map(regular -> regular).orElseGet(() -> new Region(tree));
  }

  /** Returns the hyperslab that equals a non-empty set; empty if the set is not regular. */
  private static Optional<Hyperslab> regular(SpanTree set) {
    HyperslabDimension[] along = new HyperslabDimension[set.depth()];
    SpanTree tree = set;
    for (int d = 0; d < along.length; d++) {
      long block = tree.hi(0) - tree.lo(0);
      long stride = tree.spans() == 1 ? 1 : tree.lo(1) - tree.lo(0);
      for (int i = 1; i < tree.spans(); i++) {
        if (tree.hi(i) - tree.lo(i) != block
            || tree.lo(i) - tree.lo(i - 1) != stride
            || !tree.child(i).sameAs(tree.child(0))) {
          return Optional.empty();
        }
      }
      along[d] = new HyperslabDimension(tree.lo(0), stride, tree.spans(), block);
      tree = tree.child(0);
    }
    return Optional.of(Hyperslab.of(along));
  }

  SpanTree tree() {
    return tree;
  }

  /** Returns the bounding box of the elements. */
  Box bounds() {
    return SelectionAlgebra.bounds(tree);
  }

  /** Visits the elements in row-major order. */
  void forEachRun(Selection.RunVisitor visitor) {
    forEachRun(tree, new long[tree.depth()], 0, visitor);
  }

  private static void forEachRun(
      SpanTree tree, long[] at, int level, Selection.RunVisitor visitor) {
    for (int i = 0; i < tree.spans(); i++) {
      if (tree.depth() == 1) {
        at[level] = tree.lo(i);
        visitor.run(at, tree.hi(i) - tree.lo(i));
      } else {
        for (long c = tree.lo(i); c < tree.hi(i); c++) {
          at[level] = c;
          forEachRun(tree.child(i), at, level + 1, visitor);
        }
      }
    }
  }

  @Override
  public OptionalInt rank() {
    return OptionalInt.of(tree.depth());
  }

  @Override
  public boolean isEmpty() {
    return false;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Region that && tree.sameAs(that.tree);
  }

  @Override
  public int hashCode() {
    return tree.hash();
  }

  @Override
  public String toString() {
    return "region of " + tree.count() + " elements in " + bounds();
  }
}
