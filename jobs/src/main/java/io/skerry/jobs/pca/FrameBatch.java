package io.skerry.jobs.pca;

/**
 * What consecutive frames hold beside the value of undefined pixels, which has been taken from
 * every value. Arrays are not copied.
 *
 * @param first number of the first frame
 * @param ends for each frame, where its values end
 * @param pixels row-major, ascending within a frame
 * @param values one for each of these
 */
@SuppressWarnings("ArrayRecordComponent")
record FrameBatch(int first, int[] ends, int[] pixels, double[] values) {
  /** Number of frames. */
  int frames() {
    return ends.length;
  }

  /** Where the values of a frame begin, counted from the first frame of the batch. */
  int begin(int frame) {
    return frame == 0 ? 0 : ends[frame - 1];
  }

  /** Where the values of a frame end. */
  int end(int frame) {
    return ends[frame];
  }

  /** Memory that it takes. */
  long bytes() {
    return 4L * (ends.length + pixels.length) + 8L * values.length;
  }
}
