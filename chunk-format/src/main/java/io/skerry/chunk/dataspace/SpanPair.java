package io.skerry.chunk.dataspace;

/** Two sub-trees by identity, to remember what became of them. */
public record SpanPair(SpanTree left, SpanTree right) {
  @Override
  public boolean equals(Object other) {
    return other instanceof SpanPair that && left == that.left && right == that.right;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(left) * 31 + System.identityHashCode(right);
  }
}
