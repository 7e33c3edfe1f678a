package io.skerry.chunk.space;

/** Two sub-trees by identity, to remember what became of them. */
record SpanPair(SpanTree left, SpanTree right) {
  @Override
  public boolean equals(Object other) {
    return other instanceof SpanPair that && left == that.left && right == that.right;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(left) * 31 + System.identityHashCode(right);
  }
}
