package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;

/** The pixels that are kept of a frame. */
public enum Kept {
  /** The pixels of the spots. */
  SPOTS,
  /** A rectangle of 10 %. */
  REGION;

  RunSet of(DetectorFrame frame) {
    return switch (this) {
      case SPOTS -> frame.spots();
      case REGION -> DetectorFrame.region();
    };
  }
}
