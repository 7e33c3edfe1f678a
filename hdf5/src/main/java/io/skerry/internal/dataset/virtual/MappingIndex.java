package io.skerry.internal.dataset.virtual;

import io.skerry.chunk.dataspace.encoding.SelectionBounds;
import io.skerry.format.vds.VirtualBounds;
import io.skerry.format.vds.VirtualMappings;
import io.skerry.internal.dataset.virtual.place.Runs;
import io.skerry.internal.dataset.virtual.place.Wanted;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

/**
 * Finds the mappings that may contain selected elements. If there are few mappings, all of them are
 * returned. Otherwise, a tree of their bounding boxes is built on the second search, since a single
 * linear search is faster than building the tree. Mappings that are unlimited or map all elements
 * are not in the tree. Thread-safe.
 */
final class MappingIndex {
  /** The maximum number of mappings that are returned without a search. */
  private static final int FEW = 16;

  /** A run that contains all elements of any dataset. */
  private static final Runs ALL = Runs.of(List.of(new long[] {0, Long.MAX_VALUE, 0}));

  private final VirtualMappings mappings;
  private final AtomicBoolean searched = new AtomicBoolean();
  private volatile Optional<Tree> tree = Optional.empty();

  MappingIndex(VirtualMappings mappings) {
    this.mappings = mappings;
  }

  VirtualMappings mappings() {
    return mappings;
  }

  /**
   * The bounded mappings in a tree, and the unbounded mappings.
   *
   * @param unbounded the mappings that are unlimited or map all elements, in ascending order
   */
  private record Tree(BoxTree bounded, int[] unbounded) {}

  /**
   * Returns the indices of the mappings that may contain selected elements, in ascending order.
   *
   * @param wanted the selected elements
   * @param shape the extent of the virtual dataset
   */
  int[] meeting(Selection wanted, Shape shape) {
    if (mappings.size() <= FEW) {
      return IntStream.range(0, mappings.size()).toArray();
    }
    Optional<Box> bounds = wanted.boundingBox(shape);
    return bounds.isEmpty() ? new int[0] : meeting(bounds.get(), wanted, shape);
  }

  private int[] meeting(Box bounds, Selection wanted, Shape shape) {
    Runs runs = wanted instanceof Hyperslab ? ALL : Wanted.of(wanted, shape).once();
    BoxTree.Filter filter = (boxes, at) -> meets(boxes, at, bounds, runs, shape);
    if (searched.compareAndSet(false, true)) {
      return all(filter, shape.rank());
    }
    Tree built = tree(shape.rank());
    IntStream.Builder found = IntStream.builder();
    built.bounded.search(filter, boxes(shape.rank()), found::add);
    if (built.unbounded.length == 0) {
      int[] all = found.build().toArray();
      Arrays.sort(all);
      return all;
    }
    return IntStream.concat(Arrays.stream(built.unbounded), found.build()).sorted().toArray();
  }

  /** Searches all mappings one after the other. */
  private int[] all(BoxTree.Filter filter, int rank) {
    IntStream.Builder found = IntStream.builder();
    VirtualBounds cursor = mappings.bounds();
    long[] box = new long[2 * rank];
    for (int i = 0; i < mappings.size(); i++) {
      SelectionBounds bounds = cursor.at(i);
      boolean met =
          switch (bounds.kind()) {
            case BOUNDED -> {
              copy(bounds, box, rank);
              yield filter.accepts(box, 0);
            }
            case ALL, UNLIMITED -> true;
            case EMPTY -> false;
          };
      if (met) {
        found.add(i);
      }
    }
    return found.build().toArray();
  }

  private static boolean meets(long[] boxes, int at, Box bounds, Runs wanted, Shape shape) {
    int rank = shape.rank();
    long first = 0;
    long last = 0;
    for (int d = 0; d < rank; d++) {
      long start = Math.max(boxes[at + d], bounds.start(d));
      long end = Math.min(boxes[at + rank + d], bounds.end(d));
      if (start >= end) {
        return false;
      }
      first = first * shape.extent(d) + start;
      last = last * shape.extent(d) + end - 1;
    }
    return wanted.meets(first, last + 1);
  }

  private Tree tree(int rank) {
    Optional<Tree> known = tree;
    if (known.isPresent()) {
      return known.get();
    }
    synchronized (this) {
      Tree built = tree.orElseGet(() -> build(rank));
      tree = Optional.of(built);
      return built;
    }
  }

  private Tree build(int rank) {
    IntStream.Builder bounded = IntStream.builder();
    IntStream.Builder unbounded = IntStream.builder();
    VirtualBounds cursor = mappings.bounds();
    for (int i = 0; i < mappings.size(); i++) {
      switch (cursor.at(i).kind()) {
        case BOUNDED -> bounded.add(i);
        case ALL, UNLIMITED -> unbounded.add(i);
        case EMPTY -> {}
      }
    }
    return new Tree(
        BoxTree.of(bounded.build().toArray(), rank, boxes(rank)), unbounded.build().toArray());
  }

  private BoxTree.Boxes boxes(int rank) {
    VirtualBounds cursor = mappings.bounds();
    return (mapping, box) -> copy(cursor.at(mapping), box, rank);
  }

  private static void copy(SelectionBounds bounds, long[] box, int rank) {
    for (int d = 0; d < rank; d++) {
      box[d] = bounds.start(d);
      box[rank + d] = bounds.end(d);
    }
  }
}
