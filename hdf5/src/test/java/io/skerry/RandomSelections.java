package io.skerry;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random selections of small extents. */
record RandomSelections(Random random) {
  /** Returns all, a block, a regular pattern of blocks, or a union of blocks; never empty. */
  Selection set(Shape shape) {
    return switch (random.nextInt(4)) {
      case 0 -> Selection.all();
      case 1 -> block(shape);
      case 2 -> pattern(shape);
      default -> block(shape).union(block(shape)).union(block(shape));
    };
  }

  /** Returns a set, points in any order with repetitions, or nothing. */
  Selection any(Shape shape) {
    return switch (random.nextInt(6)) {
      case 0 -> Selection.none();
      case 1 -> points(shape);
      default -> set(shape);
    };
  }

  private Selection block(Shape shape) {
    long[] start = new long[shape.rank()];
    long[] size = new long[shape.rank()];
    for (int d = 0; d < start.length; d++) {
      start[d] = random.nextLong(shape.extent(d));
      size[d] = 1 + random.nextLong(shape.extent(d) - start[d]);
    }
    return Selection.box(start, size);
  }

  private Selection pattern(Shape shape) {
    long[] start = new long[shape.rank()];
    long[] stride = new long[start.length];
    long[] count = new long[start.length];
    long[] block = new long[start.length];
    for (int d = 0; d < start.length; d++) {
      start[d] = random.nextLong(shape.extent(d));
      long room = shape.extent(d) - start[d];
      block[d] = 1 + random.nextLong(Math.min(2, room));
      stride[d] = block[d] + random.nextLong(3);
      count[d] = 1 + random.nextLong((room - block[d]) / stride[d] + 1);
    }
    return Selection.at(start).stride(stride).count(count).block(block);
  }

  private Selection points(Shape shape) {
    long[][] points = new long[1 + random.nextInt(12)][shape.rank()];
    for (long[] point : points) {
      for (int d = 0; d < point.length; d++) {
        point[d] = random.nextLong(shape.extent(d));
      }
    }
    return Selection.points(points);
  }

  /** Returns the first elements of a set, in its order. */
  static Selection first(Selection set, Shape shape, long count) {
    if (set.count(shape) == count) {
      return set;
    }
    List<Box> boxes = new ArrayList<>();
    long[] left = {count};
    set.forEachRun(
        shape,
        (start, length) -> {
          long[] end = start.clone();
          for (int d = 0; d < end.length; d++) {
            end[d] += d == end.length - 1 ? Math.min(left[0], length) : 1;
          }
          if (left[0] > 0) {
            boxes.add(new Box(start.clone(), end));
            left[0] -= Math.min(left[0], length);
          }
        });
    return Selection.blocks(boxes);
  }
}
