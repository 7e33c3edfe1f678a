package io.skerry.format.index.api;

/**
 * A leaf of a chunk index: the unit that one rank owns, loads, edits and encodes. Stable under
 * growth of the dataset; ordered as the chunks are.
 *
 * @param first linear element number of the leaf's first slot; this is its name
 */
public record LeafId(long first) implements Comparable<LeafId> {
  @Override
  public int compareTo(LeafId other) {
    return Long.compare(first, other.first);
  }
}
