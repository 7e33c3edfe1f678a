package io.skerry.selection;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Random selections in small extents, and the simple model with which they are compared. */
public final class SelectionSamples {
  private final Random random;

  public SelectionSamples(long seed) {
    this.random = new Random(seed);
  }

  public int below(int bound) {
    return random.nextInt(bound);
  }

  /** Returns a random extent: rank 1 to 4, at most a few hundred elements. */
  public Shape extent() {
    long[] sizes = new long[1 + random.nextInt(4)];
    int most = new int[] {60, 14, 8, 5}[sizes.length - 1];
    for (int d = 0; d < sizes.length; d++) {
      sizes[d] = 1 + random.nextInt(most);
    }
    return Shape.of(sizes);
  }

  /** Returns any kind of selection within the extent. */
  public Selection any(Shape extent) {
    return switch (random.nextInt(12)) {
      case 0 -> Selection.all();
      case 1 -> Selection.none();
      case 2, 3 -> points(extent);
      case 4, 5, 6 -> pattern(extent);
      case 7 -> pattern(extent).union(points(extent));
      default -> blocks(extent);
    };
  }

  Selection points(Shape extent) {
    long[][] points = new long[random.nextInt(12)][extent.rank()];
    for (int p = 0; p < points.length; p++) {
      for (int d = 0; d < extent.rank(); d++) {
        points[p][d] = random.nextInt((int) extent.extent(d));
      }
      if (p > 0 && random.nextInt(3) == 0) {
        points[p] = points[random.nextInt(p)].clone();
      }
      int last = extent.rank() - 1;
      if (p > 0 && random.nextInt(2) == 0 && points[p - 1][last] + 1 < extent.extent(last)) {
        points[p] = points[p - 1].clone();
        points[p][last]++;
      }
    }
    return Selection.points(points);
  }

  Hyperslab pattern(Shape extent) {
    int rank = extent.rank();
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    for (int d = 0; d < rank; d++) {
      int size = (int) extent.extent(d);
      block[d] = 1 + random.nextInt(Math.max(1, size / 2));
      stride[d] = 1 + random.nextInt(Math.max(1, size / 2));
      start[d] = random.nextInt(size - (int) block[d] + 1);
      count[d] = 1 + random.nextInt((int) ((size - start[d] - block[d]) / stride[d]) + 1);
    }
    return Selection.at(start).stride(stride).count(count).block(block);
  }

  Selection blocks(Shape extent) {
    List<Box> boxes = new ArrayList<>();
    for (int i = random.nextInt(6); i >= 0; i--) {
      long[] start = new long[extent.rank()];
      long[] end = new long[extent.rank()];
      for (int d = 0; d < extent.rank(); d++) {
        start[d] = random.nextInt((int) extent.extent(d));
        end[d] = start[d] + 1 + random.nextInt((int) Math.min(4, extent.extent(d) - start[d]));
      }
      boxes.add(new Box(start, end));
    }
    return Selection.blocks(boxes);
  }

  public static long index(Shape extent, long[] flat, int from) {
    long index = 0;
    for (int d = 0; d < extent.rank(); d++) {
      index = index * extent.extent(d) + flat[from + d];
    }
    return index;
  }

  /** Returns the elements in the order of the selection, computed without the code under test. */
  public static long[] model(Selection selection, Shape extent) {
    if (selection instanceof PointList points) {
      long[] indices = new long[points.size()];
      for (int p = 0; p < indices.length; p++) {
        for (int d = 0; d < extent.rank(); d++) {
          indices[p] = indices[p] * extent.extent(d) + points.coordinate(p, d);
        }
      }
      return indices;
    }
    return java.util.stream.LongStream.range(0, extent.elements())
        .filter(i -> contains(selection, extent, i))
        .toArray();
  }

  private static boolean contains(Selection selection, Shape extent, long index) {
    long[] at = coordinates(extent, index);
    return switch (selection) {
      case AllSelection _ -> true;
      case NoneSelection _ -> false;
      case Region region -> region.tree().contains(at, 0);
      case PointList _ -> throw new IllegalStateException();
      case Hyperslab slab -> {
        boolean in = true;
        for (int d = 0; d < at.length; d++) {
          boolean any = false;
          for (long i = 0; i < slab.countAt(d); i++) {
            long lo = slab.startAt(d) + i * slab.strideAt(d);
            any |= at[d] >= lo && at[d] < lo + slab.blockAt(d);
          }
          in &= any;
        }
        yield in;
      }
    };
  }

  public static long[] coordinates(Shape extent, long index) {
    long[] at = new long[extent.rank()];
    long rest = index;
    for (int d = at.length - 1; d >= 0; d--) {
      at[d] = rest % extent.extent(d);
      rest /= extent.extent(d);
    }
    return at;
  }

  public static boolean[] set(long[] indices, Shape extent) {
    boolean[] set = new boolean[(int) extent.elements()];
    for (long index : indices) {
      set[(int) index] = true;
    }
    return set;
  }

  /** Returns the set of a model, built element by element. */
  public static Selection ofModel(boolean[] set, Shape extent) {
    List<Box> boxes = new ArrayList<>();
    for (int i = 0; i < set.length; i++) {
      if (set[i]) {
        long[] start = coordinates(extent, i);
        long[] end = start.clone();
        for (int d = 0; d < end.length; d++) {
          end[d]++;
        }
        boxes.add(new Box(start, end));
      }
    }
    return Selection.blocks(boxes);
  }
}
