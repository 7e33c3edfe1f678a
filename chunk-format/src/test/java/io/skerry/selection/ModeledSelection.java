package io.skerry.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A selection and its model, created from the same random numbers.
 *
 * @param selection the selection under test
 * @param model its expected elements
 */
record ModeledSelection(Selection selection, SelectionModel model) {
  /** Returns random sizes: rank 1 to 5, about a hundred elements. */
  static long[] sizes(Random random) {
    long[] sizes = new long[1 + random.nextInt(5)];
    int most = new int[] {60, 12, 6, 4, 3}[sizes.length - 1];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = 1 + random.nextInt(most);
    }
    return sizes;
  }

  static ModeledSelection any(Random random, long[] sizes) {
    return switch (random.nextInt(12)) {
      case 0 -> new ModeledSelection(Selection.all(), SelectionModel.of(sizes, _ -> true));
      case 1 -> new ModeledSelection(Selection.none(), SelectionModel.of(sizes, _ -> false));
      case 2, 3 -> points(random, sizes);
      case 4, 5, 6 -> pattern(random, sizes);
      case 7, 8 -> unlimited(random, sizes);
      default -> blocks(random, sizes);
    };
  }

  boolean needsExtent() {
    return selection instanceof AllSelection
        || selection instanceof Hyperslab slab && slab.isUnlimited();
  }

  private static ModeledSelection points(Random random, long[] sizes) {
    long[][] points = new long[random.nextInt(14)][sizes.length];
    for (int p = 0; p < points.length; p++) {
      for (int d = 0; d < sizes.length; d++) {
        points[p][d] = random.nextInt((int) sizes[d]);
      }
      int last = sizes.length - 1;
      if (p > 0 && random.nextInt(3) == 0) {
        points[p] = points[random.nextInt(p)].clone();
      } else if (p > 0 && random.nextInt(2) == 0 && points[p - 1][last] + 1 < sizes[last]) {
        points[p] = points[p - 1].clone();
        points[p][last]++;
      }
    }
    return new ModeledSelection(Selection.points(points), SelectionModel.points(sizes, points));
  }

  private static ModeledSelection pattern(Random random, long[] sizes) {
    return pattern(random, sizes, -1);
  }

  private static ModeledSelection unlimited(Random random, long[] sizes) {
    return pattern(random, sizes, random.nextInt(sizes.length));
  }

  /** Returns a pattern that is unlimited in one dimension, or in none. */
  private static ModeledSelection pattern(Random random, long[] sizes, int endless) {
    int rank = sizes.length;
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    for (int d = 0; d < rank; d++) {
      int size = (int) sizes[d];
      block[d] = 1 + random.nextInt(Math.max(1, size / 2));
      stride[d] = 1 + random.nextInt(Math.max(1, size / 2));
      start[d] = random.nextInt(size - (int) block[d] + 1);
      count[d] = 1 + random.nextInt((int) ((size - start[d] - block[d]) / stride[d]) + 1);
      if (random.nextInt(40) == 0) {
        count[d] = 0;
      }
      if (d == endless && random.nextBoolean()) {
        count[d] = Shape.UNLIMITED;
      } else if (d == endless) {
        count[d] = 1;
        block[d] = Shape.UNLIMITED;
      }
    }
    return new ModeledSelection(
        Selection.at(start).stride(stride).count(count).block(block),
        SelectionModel.pattern(sizes, start, stride, count, block));
  }

  private static ModeledSelection blocks(Random random, long[] sizes) {
    List<Box> boxes = new ArrayList<>();
    SelectionModel model = SelectionModel.of(sizes, _ -> false);
    long[] ones = new long[sizes.length];
    java.util.Arrays.fill(ones, 1);
    for (int i = random.nextInt(7); i >= 0; i--) {
      long[] start = new long[sizes.length];
      long[] end = new long[sizes.length];
      long[] size = new long[sizes.length];
      for (int d = 0; d < sizes.length; d++) {
        start[d] = random.nextInt((int) sizes[d]);
        size[d] = 1 + random.nextInt((int) Math.min(4, sizes[d] - start[d]));
        end[d] = start[d] + size[d];
      }
      boxes.add(new Box(start, end));
      model = model.union(SelectionModel.pattern(sizes, start, ones, ones, size));
    }
    return new ModeledSelection(Selection.blocks(boxes), model);
  }
}
