package io.skerry.jobs.detector;

import java.util.Arrays;

/**
 * Finds the strongest spots in a frame, at most {@value #MOST}. A spot consists of {@value
 * #SMALLEST} to {@value #LARGEST} connected pixels; pixels that share a side or a corner are
 * connected.
 *
 * <p>The score of a local maximum is its excess over its background, in standard deviations of the
 * background. Spots are first grown from the local maxima with a score of at least {@value #CLEAR},
 * in decreasing order of strength: the summed excess of the 3 × 3 pixels around the maximum. If
 * this yields fewer than {@value #FEWEST} spots, more are grown from other local maxima, in
 * decreasing order of score, until there are {@value #FEWEST} spots or no local maximum is left.
 *
 * <p>A spot grows by repeatedly adding the brightest adjacent pixel that belongs to no spot: up to
 * {@value #SMALLEST} pixels unconditionally, then up to {@value #LARGEST} pixels while that pixel
 * is at least as bright as the floor of the local maximum (see {@link Candidates}). Spots share no
 * pixels and contain no masked pixels. A spot that cannot grow to {@value #SMALLEST} pixels is
 * discarded.
 *
 * <p>Not thread-safe: an instance holds buffers that are reused for each frame.
 */
public final class SpotFinder {
  static final int FEWEST = 50;
  static final int MOST = 100;
  static final int SMALLEST = 5;
  static final int LARGEST = 10;
  private static final float CLEAR = 6;
  private static final float FAINT = 3;

  private boolean[] taken = new boolean[0];
  private final int[] kept = new int[MOST * LARGEST];
  private int keptSize;
  private int spots;

  /** Returns the spots of a frame. The result depends only on the frame. */
  public Spots find(PixelFrame frame) {
    int size = frame.rows() * frame.columns();
    if (taken.length < size) {
      taken = new boolean[size];
    }
    keptSize = 0;
    spots = 0;
    Candidates candidates = PeakSearch.in(frame, FAINT);
    take(frame, candidates, candidates.strongestFrom(CLEAR), MOST);
    take(frame, candidates, candidates.bestBelow(CLEAR), FEWEST);
    if (spots < FEWEST) {
      Candidates all = PeakSearch.in(frame, Float.NEGATIVE_INFINITY);
      take(frame, all, all.bestBelow(Float.POSITIVE_INFINITY), FEWEST);
    }
    int[] pixels = Arrays.copyOf(kept, keptSize);
    for (int pixel : pixels) {
      taken[pixel] = false;
    }
    Arrays.sort(pixels);
    return new Spots(spots, pixels);
  }

  private void take(PixelFrame frame, Candidates candidates, int[] order, int limit) {
    for (int candidate : order) {
      if (spots >= limit) {
        return;
      }
      int peak = candidates.peak(candidate);
      if (!taken[peak]) {
        grow(frame, peak, candidates.floor(candidate));
      }
    }
  }

  private void grow(PixelFrame frame, int peak, float floor) {
    int begin = keptSize;
    keep(peak);
    while (keptSize - begin < LARGEST) {
      int next = brightestNeighbor(frame, begin);
      if (next < 0 || (keptSize - begin >= SMALLEST && frame.at(next) < floor)) {
        break;
      }
      keep(next);
    }
    if (keptSize - begin >= SMALLEST) {
      spots++;
      return;
    }
    while (keptSize > begin) {
      taken[kept[--keptSize]] = false;
    }
  }

  private void keep(int pixel) {
    taken[pixel] = true;
    kept[keptSize++] = pixel;
  }

  /**
   * Returns the linear index of the brightest pixel that touches a spot but belongs to no spot.
   *
   * @param begin the index in {@code kept} of the spot's first pixel
   * @return the linear index in the frame; -1 if there is no pixel to add
   */
  private int brightestNeighbor(PixelFrame frame, int begin) {
    int best = -1;
    float brightest = Float.NEGATIVE_INFINITY;
    for (int i = begin; i < keptSize; i++) {
      int row = kept[i] / frame.columns();
      int column = kept[i] % frame.columns();
      for (int r = Math.max(0, row - 1); r <= Math.min(frame.rows() - 1, row + 1); r++) {
        for (int c = Math.max(0, column - 1); c <= Math.min(frame.columns() - 1, column + 1); c++) {
          int at = r * frame.columns() + c;
          if (!taken[at] && frame.at(at) > brightest) {
            brightest = frame.at(at);
            best = at;
          }
        }
      }
    }
    return best;
  }
}
