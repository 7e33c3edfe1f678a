package io.skerry.chunk.dataspace;

/** A pair of subtrees, compared by identity, as a key for cached results. */
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
