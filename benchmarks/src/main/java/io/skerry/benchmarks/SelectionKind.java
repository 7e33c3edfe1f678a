package io.skerry.benchmarks;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Very different kinds of selections in 16 frames of 1024 × 1024 pixels. */
public enum SelectionKind {
  /** A million points in random order. */
  POINTS,
  /** The union of 100,000 blocks of up to 3 × 8 pixels. */
  BLOCKS,
  /** A regular pattern: blocks of 2 × 4 pixels that begin in every fourth row and eighth column. */
  STRIDED;

  static final Shape EXTENT = Shape.of(16, 1024, 1024);

  private static final int POINT_COUNT = 1_000_000;
  private static final int BLOCK_COUNT = 100_000;

  Selection make() {
    Random random = new Random(7);
    return switch (this) {
      case POINTS -> Selection.points(3, points(random));
      case BLOCKS -> Selection.blocks(blocks(random));
      case STRIDED -> Selection.at(0, 1, 2).stride(1, 4, 8).count(16, 255, 127).block(1, 2, 4);
    };
  }

  /** Returns the row-major index of the element whose coordinates start at index {@code from}. */
  static long linear(long[] coordinates, int from) {
    return (coordinates[from] << 20) + (coordinates[from + 1] << 10) + coordinates[from + 2];
  }

  private static long[] points(Random random) {
    long[] flat = new long[3 * POINT_COUNT];
    for (int i = 0; i < flat.length; i++) {
      flat[i] = random.nextLong(EXTENT.extent(i % 3));
    }
    return flat;
  }

  private static List<Box> blocks(Random random) {
    List<Box> blocks = new ArrayList<>(BLOCK_COUNT);
    for (int i = 0; i < BLOCK_COUNT; i++) {
      long[] start = {random.nextInt(16), random.nextInt(1021), random.nextInt(1016)};
      long[] end = {
        start[0] + 1, start[1] + 1 + random.nextInt(3), start[2] + 1 + random.nextInt(8)
      };
      blocks.add(new Box(start, end));
    }
    return blocks;
  }
}
