package io.skerry.jobs.detector;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The local maxima of a frame whose scores are at least a given minimum. Each candidate has the
 * linear index of its peak, a score (the excess of the peak over its background, in standard
 * deviations of the background), a strength (the summed excess of the 3 × 3 pixels centered on the
 * peak), and a floor (the intensity that a pixel needs in order to extend the spot beyond its
 * minimum size).
 */
final class Candidates {
  private int size;
  private int[] peaks = new int[1024];
  private float[] scores = new float[1024];
  private float[] strengths = new float[1024];
  private float[] floors = new float[1024];

  void add(int peak, float score, float strength, float floor) {
    if (size == peaks.length) {
      peaks = Arrays.copyOf(peaks, 2 * size);
      scores = Arrays.copyOf(scores, 2 * size);
      strengths = Arrays.copyOf(strengths, 2 * size);
      floors = Arrays.copyOf(floors, 2 * size);
    }
    peaks[size] = peak;
    scores[size] = score;
    strengths[size] = strength;
    floors[size] = floor;
    size++;
  }

  int size() {
    return size;
  }

  int peak(int candidate) {
    return peaks[candidate];
  }

  float score(int candidate) {
    return scores[candidate];
  }

  /**
   * Returns the intensity that a pixel needs in order to extend the spot beyond its minimum size.
   */
  float floor(int candidate) {
    return floors[candidate];
  }

  /**
   * Returns the candidates with at least the given score, in decreasing order of strength;
   * candidates of equal strength are in the order of their pixels.
   */
  int[] strongestFrom(float score) {
    return sorted(
        IntStream.range(0, size).filter(i -> scores[i] >= score),
        Comparator.comparingDouble(i -> -strengths[i]));
  }

  /** Returns the candidates below the given score, in decreasing order of score. */
  int[] bestBelow(float score) {
    return sorted(
        IntStream.range(0, size).filter(i -> scores[i] < score),
        Comparator.comparingDouble(i -> -scores[i]));
  }

  private static int[] sorted(IntStream candidates, Comparator<Integer> order) {
    return candidates.boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }
}
