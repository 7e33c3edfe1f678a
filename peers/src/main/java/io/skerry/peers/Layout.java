package io.skerry.peers;

/** How the benchmark's dataset is stored. Chunks are 256 × 1024 floats, 1 MiB. */
enum Layout {
  CONTIGUOUS,
  CHUNKED,
  /** Shuffle, then deflate of level {@link #LEVEL}. */
  DEFLATE;

  static final int CHUNK_ROWS = 256;
  static final int CHUNK_COLUMNS = 1024;

  /** What h5py takes if nothing is said. */
  static final int LEVEL = 4;

  boolean isChunked() {
    return this != CONTIGUOUS;
  }
}
