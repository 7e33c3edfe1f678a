package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;

/** The choice of the pixels of a frame that are written to a sparse chunk. */
public enum Kept {
  /** The pixels of the spots. */
  SPOTS,
  /** A square region of about 10% of the frame. */
  REGION;

  RunSet of(DetectorFrame frame) {
    return switch (this) {
      case SPOTS -> frame.spots();
      case REGION -> DetectorFrame.region();
    };
  }
}
