package io.skerry.cache.jfr;

/** The names of a chunk in an event. Queried only during a recording. */
public interface ChunkLabel {
  /** The path of the dataset. */
  String datasetName();

  /** The coordinates of the chunk in the chunk grid. */
  String chunkName();
}
