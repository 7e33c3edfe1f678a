package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * The active pixels: those that have a value, that is, differ from the base value of the {@link
 * FrameStack}, in at least one frame. They are numbered consecutively in row-major order; all other
 * pixels are ignored.
 *
 * <p>If the frames are centered, the mean of a pixel is subtracted in one of two ways. A pixel is
 * <em>usual</em> if at least half of the frames have a value for it. The mean of a usual pixel is
 * subtracted from its values before the Gram matrix is computed, because a later subtraction could
 * leave only rounding errors if the values differ little. For any other pixel, the contribution of
 * the mean is subtracted from the Gram matrix, so that the frames remain sparse.
 */
final class ActivePixels {
  private final int frames;
  private final int[] pixels;
  private final int[] counts;
  private final double[] means;
  private final int[] numbers;
  private final int[] usual;
  private final int[] usualPlace;
  private final Centering centering;

  /**
   * Creates the numbering of the active pixels.
   *
   * @param survey the survey of the frames on all ranks
   * @param frames the number of frames on all ranks
   */
  ActivePixels(PixelSurvey survey, int frames, Centering centering) {
    this.frames = frames;
    this.centering = centering;
    int[] all = survey.counts();
    int active = (int) Arrays.stream(all).filter(count -> count > 0).count();
    pixels = new int[active];
    counts = new int[active];
    means = new double[active];
    usualPlace = new int[active];
    numbers = new int[all.length];
    int[] found = new int[active];
    int many = 0;
    int number = 0;
    for (int pixel = 0; pixel < all.length; pixel++) {
      numbers[pixel] = -1;
      if (all[pixel] > 0) {
        numbers[pixel] = number;
        pixels[number] = pixel;
        counts[number] = all[pixel];
        means[number] = survey.sums()[pixel] / frames;
        boolean often = centering == Centering.MEAN && 2L * all[pixel] >= frames;
        usualPlace[number] = often ? many : -1;
        if (often) {
          found[many++] = number;
        }
        number++;
      }
    }
    usual = Arrays.copyOf(found, many);
  }

  /** Returns the size of an instance in memory, in bytes, if all pixels are active. */
  static long bytes(long pixels) {
    return 28 * pixels;
  }

  /** Returns the number of active pixels. */
  int size() {
    return pixels.length;
  }

  /** Returns the linear index of an active pixel in the frame. */
  int pixel(int number) {
    return pixels[number];
  }

  /**
   * Returns the number of the active pixel at a linear index in the frame; -1 if the pixel there is
   * not active.
   */
  int number(int pixel) {
    return numbers[pixel];
  }

  /** Returns the number of frames in which an active pixel has a value. */
  int count(int number) {
    return counts[number];
  }

  /** Returns the mean of an active pixel over all frames, minus the base value. */
  double mean(int number) {
    return means[number];
  }

  /**
   * Returns the mean of an active pixel if it must be subtracted from the Gram matrix; 0 if it is
   * already subtracted from the vectors that this class fills, or if no mean is subtracted.
   */
  double meanLeft(int number) {
    return centering == Centering.MEAN && usualPlace[number] < 0 ? means[number] : 0;
  }

  /**
   * Returns whether all active pixels are usual, so that the vectors that this class fills are
   * centered.
   */
  boolean isCentered() {
    return usual.length == pixels.length;
  }

  /**
   * Fills a vector with one frame of a batch, indexed by the numbers of the active pixels.
   *
   * @param into the vector, of capacity {@link #size}
   */
  void frame(FrameBatch batch, int frame, SparseVector into) {
    into.clear();
    for (int number : usual) {
      into.put(number, -means[number]);
    }
    for (int i = batch.begin(frame); i < batch.end(frame); i++) {
      int number = numbers[batch.pixels()[i]];
      int place = usualPlace[number];
      if (place < 0) {
        into.put(number, batch.values()[i]);
      } else {
        into.increase(place, batch.values()[i]);
      }
    }
  }

  /**
   * Fills a vector with the values of one pixel, indexed by frame.
   *
   * @param number the number of the active pixel
   * @param in the indices of the frames in which the pixel has a value
   * @param values the values in these frames
   * @param from the index at which the {@link #count} entries of the pixel begin in both arrays
   * @param into the vector, whose capacity is the number of all frames
   */
  void pixel(int number, int[] in, double[] values, int from, SparseVector into) {
    into.clear();
    int end = from + counts[number];
    if (usualPlace[number] < 0) {
      for (int i = from; i < end; i++) {
        into.put(in[i], values[i]);
      }
      return;
    }
    for (int frame = 0; frame < frames; frame++) {
      into.put(frame, -means[number]);
    }
    for (int i = from; i < end; i++) {
      into.increase(in[i], values[i]);
    }
  }
}
