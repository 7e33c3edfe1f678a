package io.skerry.jobs.pca;

/**
 * The pixels, in consecutive frames, that differ from a base value, and their values minus the base
 * value. Arrays are not copied.
 *
 * @param first the index of the first frame
 * @param ends for each frame, the index after its last value in {@code pixels} and {@code values}
 * @param pixels the linear indices of the pixels, in ascending order within a frame
 * @param values the values of the pixels, minus the base value
 */
@SuppressWarnings("ArrayRecordComponent")
record FrameBatch(int first, int[] ends, int[] pixels, double[] values) {
  /** Returns the number of frames. */
  int frames() {
    return ends.length;
  }

  /**
   * Returns the index of the first value of a frame.
   *
   * @param frame the index of the frame in the batch
   */
  int begin(int frame) {
    return frame == 0 ? 0 : ends[frame - 1];
  }

  /**
   * Returns the index after the last value of a frame.
   *
   * @param frame the index of the frame in the batch
   */
  int end(int frame) {
    return ends[frame];
  }

  /** Returns the size of the batch in memory, in bytes. */
  long bytes() {
    return 4L * (ends.length + pixels.length) + 8L * values.length;
  }
}
