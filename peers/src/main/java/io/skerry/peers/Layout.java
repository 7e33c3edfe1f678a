package io.skerry.peers;

/** The storage of the dataset of the benchmark. Chunks are 256 × 1024 floats, 1 MiB. */
enum Layout {
  CONTIGUOUS,
  CHUNKED,
  /** Shuffle, then deflate of level {@link #LEVEL}. */
  DEFLATE;

  static final int CHUNK_ROWS = 256;
  static final int CHUNK_COLUMNS = 1024;

  /** The default level of h5py. */
  static final int LEVEL = 4;

  boolean isChunked() {
    return this != CONTIGUOUS;
  }
}
