package io.skerry.cache;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Random;

/** Small selections of every form in a matrix of 5 by 7, and their elements. */
public final class RandomSelections {
  static final Shape EXTENT = Shape.of(5, 7);
  public static final int ELEMENTS = 35;

  private final Random random;

  public RandomSelections(Random random) {
    this.random = random;
  }

  public Selection next() {
    return switch (random.nextInt(12)) {
      case 0 -> Selection.all();
      case 1 -> Selection.none();
      case 2 -> Selection.at(random.nextInt(5), 0).stride(2, 1).count(Shape.UNLIMITED, 7);
      case 3 -> Selection.at(random.nextInt(3), random.nextInt(2)).stride(2, 3).count(2, 2);
      case 4, 5 -> box().union(box());
      case 6, 7 -> points();
      default -> box();
    };
  }

  private Selection box() {
    int row = random.nextInt(5);
    int column = random.nextInt(7);
    return Selection.at(row, column)
        .extent(1 + random.nextInt(Math.min(3, 5 - row)), 1 + random.nextInt(7 - column));
  }

  private Selection points() {
    long[][] points = new long[1 + random.nextInt(4)][];
    for (int i = 0; i < points.length; i++) {
      points[i] = new long[] {random.nextInt(5), random.nextInt(7)};
    }
    return Selection.points(points);
  }

  /** Returns the elements as bits, computed without comparisons of selections. */
  public static long elements(Selection selection) {
    long bits = 0;
    long[] flat = selection.toCoordinates(EXTENT);
    for (int i = 0; i < flat.length; i += 2) {
      bits |= 1L << (flat[i] * 7 + flat[i + 1]);
    }
    return bits;
  }
}
