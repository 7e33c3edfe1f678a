package io.skerry.cache.jfr;

/** The names by which events identify a chunk. Queried only during a recording. */
public interface ChunkLabel {
  /** Returns the path of the dataset. */
  String datasetName();

  /** Returns the coordinates of the chunk in the chunk grid. */
  String chunkName();
}
