package io.skerry.jobs.follow;

import io.skerry.Dataset;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.FloatingPoint;
import io.skerry.jobs.report.Json;
import io.skerry.selection.Selection;
import java.util.Optional;

/**
 * The values of a frame in the order of its elements. Integers keep all their digits.
 *
 * @param whole the values of a dataset of integers; otherwise empty
 * @param real the values of a dataset of floating-point numbers; otherwise empty
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FrameValues(long[] whole, double[] real) {
  /**
   * The indices of the least and the greatest finite value.
   *
   * @param least the index of the least value
   * @param greatest the index of the greatest value
   */
  record Bounds(int least, int greatest) {}

  /** Reads the values of a selection; there are none if they are not numbers. */
  static FrameValues read(Dataset dataset, Selection selection) {
    return switch (dataset.datatype()) {
      case FixedPoint _ -> new FrameValues(dataset.readLongs(selection), new double[0]);
      case FloatingPoint _ -> new FrameValues(new long[0], dataset.readDoubles(selection));
      default -> new FrameValues(new long[0], new double[0]);
    };
  }

  /** Returns the number of values. */
  int size() {
    return Math.max(whole.length, real.length);
  }

  /** Returns the places of the extreme values; empty if no value is finite. */
  Optional<Bounds> bounds() {
    int least = -1;
    int greatest = -1;
    for (int i = 0; i < size(); i++) {
      if (isFinite(i)) {
        least = least < 0 || isLess(i, least) ? i : least;
        greatest = greatest < 0 || isLess(greatest, i) ? i : greatest;
      }
    }
    return least < 0 ? Optional.empty() : Optional.of(new Bounds(least, greatest));
  }

  private boolean isFinite(int i) {
    return whole.length > 0 || Double.isFinite(real[i]);
  }

  private boolean isLess(int one, int other) {
    return whole.length > 0 ? whole[one] < whole[other] : real[one] < real[other];
  }

  /** Returns a value as text. */
  String text(int i) {
    return whole.length > 0 ? Long.toString(whole[i]) : Double.toString(real[i]);
  }

  /** Returns a value as JSON; null if it is not finite. */
  Json json(int i) {
    if (!isFinite(i)) {
      return Json.Nothing.NULL;
    }
    return whole.length > 0 ? new Json.Whole(whole[i]) : new Json.Real(real[i]);
  }
}
