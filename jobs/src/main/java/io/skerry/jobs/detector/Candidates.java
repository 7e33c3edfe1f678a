package io.skerry.jobs.detector;

import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The local maxima of a frame that rise above their surroundings: where each peak is, by how many
 * standard deviations it stands out, and how much its three by three pixels exceed the background.
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

  /** The intensity from which on a pixel beside the peak clearly belongs to it. */
  float floor(int candidate) {
    return floors[candidate];
  }

  /**
   * Those that reach a score, strongest first, equally strong ones in the order of their pixels.
   */
  int[] strongestFrom(float score) {
    return sorted(
        IntStream.range(0, size).filter(i -> scores[i] >= score),
        Comparator.comparingDouble(i -> -strengths[i]));
  }

  /** Those that stay below a score, highest score first. */
  int[] clearestBelow(float score) {
    return sorted(
        IntStream.range(0, size).filter(i -> scores[i] < score),
        Comparator.comparingDouble(i -> -scores[i]));
  }

  private static int[] sorted(IntStream candidates, Comparator<Integer> order) {
    return candidates.boxed().sorted(order).mapToInt(Integer::intValue).toArray();
  }
}
