package io.skerry.cache.jfr;

/** The names of a chunk in an event. Queried only during a recording. */
public interface ChunkLabel {
  /** Returns the path of the dataset. */
  String datasetName();

  /** Returns the coordinates of the chunk in the chunk grid. */
  String chunkName();
}
