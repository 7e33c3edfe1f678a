package io.skerry.jobs.pca;

import java.util.Arrays;

/**
 * The pixels that have a value in some frame, numbered without gaps in row-major order; the others
 * take no part in anything.
 *
 * <p>From the usual ones among them, which at least half of the frames have, the mean is subtracted
 * before anything is multiplied: afterwards it could leave nothing but rounding errors, if values
 * differ little. From the others it is subtracted in the Gram matrix, so that frames stay sparse.
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
   * @param survey of all frames of all ranks
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

  /** Memory that it takes if all pixels are active. */
  static long bytes(long pixels) {
    return 28 * pixels;
  }

  /** How many there are. */
  int size() {
    return pixels.length;
  }

  /** The place in a frame, row-major, of a number. */
  int pixel(int number) {
    return pixels[number];
  }

  /** The number of a pixel that has a value. */
  int number(int pixel) {
    return numbers[pixel];
  }

  /** In how many frames one has a value. */
  int count(int number) {
    return counts[number];
  }

  /** Mean of one over all frames. */
  double mean(int number) {
    return means[number];
  }

  /** The mean that is left in the vectors of this class, to be taken from the Gram matrix. */
  double meanLeft(int number) {
    return centering == Centering.MEAN && usualPlace[number] < 0 ? means[number] : 0;
  }

  /** Whether the mean is left in none of them. */
  boolean isCentered() {
    return usual.length == pixels.length;
  }

  /**
   * One frame, by number of pixel.
   *
   * @param into what to fill, of capacity {@link #size}
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
   * One pixel, by frame.
   *
   * @param in the frames in which it has a value
   * @param values its values there
   * @param from where both begin; they end after {@link #count}
   * @param into what to fill, of the capacity of all frames
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
