package io.skerry.jobs.detector;

import java.lang.foreign.MemorySegment;

/** Creates frames for tests. */
final class Frames {
  private Frames() {}

  static PixelFrame ofFloats(int rows, int columns, float... pixels) {
    return PixelFrame.of(MemorySegment.ofArray(pixels), PixelType.F32, rows, columns);
  }

  static PixelFrame synthetic(SyntheticDetector detector, long index, int rows, int columns) {
    var pixels = MemorySegment.ofArray(new short[rows * columns]);
    detector.frame(index, pixels);
    return PixelFrame.of(pixels, PixelType.U16, rows, columns);
  }
}
