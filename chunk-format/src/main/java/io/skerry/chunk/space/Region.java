package io.skerry.chunk.space;

import java.util.OptionalInt;

/**
 * Any other set of elements: a union of blocks that is not a regular pattern, in canonical form, so
 * that equal sets are equal values. Made by the operations of {@link Selection}. Immutable.
 */
public final class Region implements Selection {
  private final SpanTree tree;

  private Region(SpanTree tree) {
    this.tree = tree;
  }

  /** The simplest selection that is this set. */
  static Selection of(SpanTree tree) {
    if (tree.isEmpty()) {
      return NoneSelection.NONE;
    }
    return tree.regular().<Selection>map(regular -> regular).orElseGet(() -> new Region(tree));
  }

  SpanTree tree() {
    return tree;
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
    return "region of " + tree.count() + " elements in " + tree.bounds();
  }
}
