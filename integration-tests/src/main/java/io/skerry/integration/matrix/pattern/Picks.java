package io.skerry.integration.matrix.pattern;

import io.skerry.integration.random.PickedElements;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Creates selections, and computes their elements independently of the library. */
public final class Picks {
  private Picks() {}

  /** Returns a selection for each rank. */
  static List<PickedElements> ofRanks(int ranks, IntFunction<PickedElements> pick) {
    return IntStream.range(0, ranks).mapToObj(pick).toList();
  }

  /** Returns a block. */
  static PickedElements block(long[] extent, long[] start, long[] size) {
    long[] ones = new long[extent.length];
    Arrays.fill(ones, 1);
    return slab(extent, start, ones, ones, size);
  }

  /** Returns a regular pattern of blocks. */
  static PickedElements slab(
      long[] extent, long[] start, long[] stride, long[] count, long[] block) {
    List<Long> elements = new ArrayList<>();
    for (long element = 0; element < volume(extent); element++) {
      long[] at = coordinates(extent, element);
      boolean inside = true;
      for (int d = 0; d < extent.length; d++) {
        inside &= isInside(at[d], start[d], stride[d], count[d], block[d]);
      }
      if (inside) {
        elements.add(element);
      }
    }
    return new PickedElements(
        Selection.at(start).stride(stride).count(count).block(block), toArray(elements));
  }

  private static boolean isInside(long at, long start, long stride, long count, long block) {
    for (long k = 0; k < count; k++) {
      if (at >= start + k * stride && at < start + k * stride + block) {
        return true;
      }
    }
    return false;
  }

  /** Returns a selection of the given elements as points, in the given order. */
  static PickedElements points(long[] extent, List<Long> elements) {
    long[][] points =
        elements.stream().map(element -> coordinates(extent, element)).toArray(long[][]::new);
    return new PickedElements(Selection.points(points), toArray(elements));
  }

  /** Returns the elements of a selection in random order, a few of them twice. */
  static PickedElements shuffled(long[] extent, PickedElements pick, long seed) {
    List<Long> order = new ArrayList<>(LongStream.of(pick.elements()).boxed().toList());
    order.addAll(order.subList(0, Math.min(3, order.size())));
    Collections.shuffle(order, new Random(seed));
    return points(extent, order);
  }

  public static long[] coordinates(long[] extent, long element) {
    long[] at = new long[extent.length];
    long rest = element;
    for (int d = extent.length - 1; d >= 0; d--) {
      at[d] = rest % extent[d];
      rest /= extent[d];
    }
    return at;
  }

  public static long index(long[] extent, long[] at) {
    long index = 0;
    for (int d = 0; d < extent.length; d++) {
      index = index * extent[d] + at[d];
    }
    return index;
  }

  public static long volume(long[] extent) {
    return LongStream.of(extent).reduce(1, (a, b) -> a * b);
  }

  private static long[] toArray(List<Long> elements) {
    return elements.stream().mapToLong(Long::longValue).toArray();
  }
}
