package io.skerry.format.index.api;

/**
 * Identifies a leaf of a chunk index, the unit that one rank owns, loads, edits and encodes. The ID
 * of a leaf does not change when the dataset grows. IDs are ordered by chunk number.
 *
 * @param first the number of the first chunk of the leaf, which identifies it
 */
public record LeafId(long first) implements Comparable<LeafId> {
  @Override
  public int compareTo(LeafId other) {
    return Long.compare(first, other.first);
  }
}
