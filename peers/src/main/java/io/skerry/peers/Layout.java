package io.skerry.peers;

/** The storage of the benchmark's dataset. A chunk has 256 × 1024 floats (1 MiB). */
enum Layout {
  CONTIGUOUS,
  CHUNKED,
  /** Chunks with the shuffle filter, then deflate at level {@link #LEVEL}. */
  DEFLATE;

  static final int CHUNK_ROWS = 256;
  static final int CHUNK_COLUMNS = 1024;

  /** The default level of h5py. */
  static final int LEVEL = 4;

  boolean isChunked() {
    return this != CONTIGUOUS;
  }
}
