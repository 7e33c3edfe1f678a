package io.skerry.jobs.detector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PeakSearchTest {
  @Test
  void prefix_sums_give_the_same_peaks_and_scores_as_summing_every_box() {
    for (int seed = 0; seed < 60; seed++) {
      var random = new SplittableRandom(seed);
      int rows = 1 + random.nextInt(40);
      int columns = 1 + random.nextInt(40);
      float[] pixels = new float[rows * columns];
      int levels = random.nextInt(3) == 0 ? 4 : 5000;
      for (int i = 0; i < pixels.length; i++) {
        pixels[i] = random.nextInt(20) == 0 ? Float.NaN : random.nextInt(levels);
      }
      PixelFrame frame = Frames.ofFloats(rows, columns, pixels);
      Candidates found = PeakSearch.in(frame, 0.5f);
      var actual = new TreeMap<Integer, Float>();
      for (int candidate : found.strongestFrom(0)) {
        actual.put(found.peak(candidate), found.score(candidate));
      }
      TreeMap<Integer, Double> expected = model(frame, 0.5);
      assertEquals(expected.keySet(), actual.keySet(), "seed=" + seed);
      expected.forEach(
          (peak, score) -> assertEquals(score, actual.get(peak), 1e-3 * (1 + score), "at " + peak));
    }
  }

  private static TreeMap<Integer, Double> model(PixelFrame frame, double least) {
    var peaks = new TreeMap<Integer, Double>();
    for (int row = 0; row < frame.rows(); row++) {
      for (int column = 0; column < frame.columns(); column++) {
        double score = score(frame, row, column);
        if (isPeak(frame, row, column) && score >= least) {
          peaks.put(row * frame.columns() + column, score);
        }
      }
    }
    return peaks;
  }

  private static boolean isPeak(PixelFrame frame, int row, int column) {
    int at = row * frame.columns() + column;
    boolean peak = !Float.isNaN(frame.at(at));
    for (int r = Math.max(0, row - 1); r <= Math.min(frame.rows() - 1, row + 1); r++) {
      for (int c = Math.max(0, column - 1); c <= Math.min(frame.columns() - 1, column + 1); c++) {
        int other = r * frame.columns() + c;
        peak &= other >= at || !(frame.at(other) >= frame.at(at));
        peak &= other <= at || !(frame.at(other) > frame.at(at));
      }
    }
    return peak;
  }

  private static double score(PixelFrame frame, int row, int column) {
    double sum = 0;
    double square = 0;
    int count = 0;
    for (int r = Math.max(0, row - 8); r <= Math.min(frame.rows() - 1, row + 8); r++) {
      for (int c = Math.max(0, column - 8); c <= Math.min(frame.columns() - 1, column + 8); c++) {
        float pixel = frame.at(r * frame.columns() + c);
        boolean core = Math.abs(r - row) <= 2 && Math.abs(c - column) <= 2;
        if (!core && !Float.isNaN(pixel)) {
          sum += pixel;
          square += (double) pixel * pixel;
          count++;
        }
      }
    }
    double mean = count > 0 ? sum / count : 0;
    double sigma = count > 1 ? Math.sqrt(Math.max(0, square / count - mean * mean)) : 0;
    double least = 1e-6 * Math.max(1e-6, Math.abs(mean));
    return (frame.at(row * frame.columns() + column) - mean) / (sigma + least);
  }
}
