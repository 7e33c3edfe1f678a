package io.skerry.cache;

/**
 * Names one chunk of one dataset of an open file.
 *
 * @param dataset address of the dataset's object header
 * @param position the chunk's element number in its index; does not change when the dataset grows
 */
public record ChunkKey(long dataset, long position) implements Comparable<ChunkKey> {
  @Override
  public int compareTo(ChunkKey other) {
    int byDataset = Long.compareUnsigned(dataset, other.dataset);
    return byDataset != 0 ? byDataset : Long.compare(position, other.position);
  }
}
