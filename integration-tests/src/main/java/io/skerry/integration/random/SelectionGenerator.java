package io.skerry.integration.random;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;

/** Generates selections of every kind within an extent. */
public final class SelectionGenerator {
  /**
   * The approximate maximum number of elements in a selection, which keeps steps short. The limit
   * for {@link #wide} is four times as large.
   */
  private static final long MOST = 1500;

  private final RandomGenerator random;

  /** Creates a generator that uses the given source of random numbers. */
  public SelectionGenerator(RandomGenerator random) {
    this.random = random;
  }

  /** Returns a random selection of any kind. */
  public PickedElements any(long[] extent) {
    long volume = BoxLoops.volume(extent);
    if (volume == 0) {
      return PickedElements.NOTHING;
    }
    return switch (random.nextInt(20)) {
      case 0 -> PickedElements.NOTHING;
      case 1 -> volume <= MOST ? all(extent) : box(extent);
      case 2, 3, 4, 5, 6 -> box(extent);
      case 7, 8, 9, 10 -> slab(extent);
      case 11, 12, 13 -> blocks(extent);
      case 14 -> transposed(extent);
      default -> points(extent);
    };
  }

  /** Returns all elements or, if the extent is large, a random box. */
  public PickedElements wide(long[] extent) {
    long volume = BoxLoops.volume(extent);
    if (volume == 0) {
      return PickedElements.NOTHING;
    }
    return volume <= 4 * MOST ? all(extent) : box(extent);
  }

  /** Returns all elements. */
  public static PickedElements all(long[] extent) {
    long[] elements = new long[(int) BoxLoops.volume(extent)];
    for (int i = 0; i < elements.length; i++) {
      elements[i] = i;
    }
    return new PickedElements(Selection.all(), elements);
  }

  private PickedElements box(long[] extent) {
    long[] start = new long[extent.length];
    long[] size = new long[extent.length];
    drawBox(extent, MOST, start, size);
    List<Long> elements = new ArrayList<>();
    BoxLoops.forEach(extent, start, size, elements::add);
    return new PickedElements(Selection.at(start).extent(size), array(elements));
  }

  /** Returns the elements of a box, ordered by their last coordinate. */
  private PickedElements transposed(long[] extent) {
    long[] elements = box(extent).elements();
    int rank = extent.length;
    long[][] points = new long[elements.length][rank];
    for (int i = 0; i < elements.length; i++) {
      long rest = elements[i];
      for (int d = rank - 1; d >= 0; d--) {
        points[i][d] = rest % extent[d];
        rest /= extent[d];
      }
    }
    Arrays.sort(points, Comparator.comparingLong(point -> point[rank - 1]));
    return new PickedElements(
        Selection.points(points),
        Arrays.stream(points).mapToLong(point -> BoxLoops.index(extent, point, 0)).toArray());
  }

  /** Returns at most {@code parts} selections that interleave along the last dimension of a box. */
  public List<PickedElements> interleaved(long[] extent, int parts) {
    int last = extent.length - 1;
    if (BoxLoops.volume(extent) == 0) {
      return List.of(PickedElements.NOTHING);
    }
    long[] start = new long[extent.length];
    long[] size = new long[extent.length];
    drawBox(extent, MOST, start, size);
    List<PickedElements> picks = new ArrayList<>();
    for (int part = 0; part < Math.min(parts, size[last]); part++) {
      long[] from = start.clone();
      from[last] += part;
      long[] stride = ones(extent.length);
      long[] count = ones(extent.length);
      long[] block = size.clone();
      stride[last] = parts;
      count[last] = (size[last] - part + parts - 1) / parts;
      block[last] = 1;
      List<Long> elements = new ArrayList<>();
      long[] row = size.clone();
      row[last] = 1;
      for (long c = 0; c < count[last]; c++) {
        long[] column = from.clone();
        column[last] += c * parts;
        BoxLoops.forEach(extent, column, row, elements::add);
      }
      elements.sort(null);
      picks.add(
          new PickedElements(
              Selection.at(from).stride(stride).count(count).block(block), array(elements)));
    }
    return picks;
  }

  private static long[] ones(int rank) {
    long[] ones = new long[rank];
    Arrays.fill(ones, 1);
    return ones;
  }

  private void drawBox(long[] extent, long most, long[] start, long[] size) {
    long room = most;
    for (int d = extent.length - 1; d >= 0; d--) {
      long limit = Math.min(extent[d], Math.max(1, room));
      size[d] = random.nextInt(4) == 0 ? limit : 1 + random.nextLong(limit);
      // The box is often at the end of the extent, where errors are most likely.
      long slack = extent[d] - size[d];
      start[d] = random.nextInt(4) == 0 ? slack : random.nextLong(slack + 1);
      room /= size[d];
    }
  }

  private PickedElements slab(long[] extent) {
    int rank = extent.length;
    long[] start = new long[rank];
    long[] stride = new long[rank];
    long[] count = new long[rank];
    long[] block = new long[rank];
    BitSet[] chosen = new BitSet[rank];
    long room = MOST;
    for (int d = rank - 1; d >= 0; d--) {
      start[d] = random.nextLong(extent[d]);
      long left = extent[d] - start[d];
      block[d] = 1 + random.nextLong(Math.min(left, 4));
      stride[d] = block[d] + random.nextLong(6);
      long fit = (left - block[d]) / stride[d] + 1;
      count[d] = 1 + random.nextLong(Math.max(1, Math.min(fit, room / block[d])));
      room = Math.max(1, room / (count[d] * block[d]));
      chosen[d] = new BitSet();
      for (long c = 0; c < count[d]; c++) {
        int from = (int) (start[d] + c * stride[d]);
        chosen[d].set(from, from + (int) block[d]);
      }
    }
    Selection selection = Selection.at(start).stride(stride).count(count).block(block);
    List<Long> elements = new ArrayList<>();
    product(extent, chosen, 0, 0, elements);
    return new PickedElements(selection, array(elements));
  }

  private static void product(
      long[] extent, BitSet[] chosen, int d, long prefix, List<Long> elements) {
    if (d == extent.length) {
      elements.add(prefix);
      return;
    }
    for (int i = chosen[d].nextSetBit(0); i >= 0; i = chosen[d].nextSetBit(i + 1)) {
      product(extent, chosen, d + 1, prefix * extent[d] + i, elements);
    }
  }

  private PickedElements blocks(long[] extent) {
    List<Box> boxes = new ArrayList<>();
    BitSet set = new BitSet();
    int number = 1 + random.nextInt(6);
    for (int b = 0; b < number; b++) {
      long[] start = new long[extent.length];
      long[] size = new long[extent.length];
      drawBox(extent, MOST / 10, start, size);
      long[] end = new long[extent.length];
      for (int d = 0; d < end.length; d++) {
        end[d] = start[d] + size[d];
      }
      boxes.add(new Box(start, end));
      BoxLoops.forEach(extent, start, size, index -> set.set((int) index));
    }
    return new PickedElements(Selection.blocks(boxes), set.stream().asLongStream().toArray());
  }

  private PickedElements points(long[] extent) {
    int number = 1 + random.nextInt(60);
    int rank = extent.length;
    long[][] points = new long[number][];
    long[] elements = new long[number];
    for (int p = 0; p < number; p++) {
      if (p > 0 && random.nextInt(5) == 0) {
        points[p] = points[random.nextInt(p)].clone();
      } else {
        points[p] = new long[rank];
        for (int d = 0; d < rank; d++) {
          points[p][d] = random.nextLong(extent[d]);
        }
      }
      elements[p] = BoxLoops.index(extent, points[p], 0);
    }
    return new PickedElements(Selection.points(points), elements);
  }

  private static long[] array(List<Long> list) {
    return list.stream().mapToLong(Long::longValue).toArray();
  }
}
