package io.skerry.chunk.dataspace.grid;

import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Numbers the chunks that a walk over a selection visits, in the order of their first visit. A
 * chunk is looked up one dimension at a time: each list of leading coordinates has a number, and
 * this number together with the next coordinate is the key of the longer list. The grid may
 * therefore have more chunks than an int can count. Implemented as a hash table with open
 * addressing, which allocates no objects for a lookup.
 */
final class SliceCollector {
  /** The number of the empty list of coordinates. */
  static final int ROOT = 0;

  private final int rank;

  /** The coordinate-list number in each slot of the hash table; 0 if the slot is free. */
  private int[] slots = new int[64];

  /**
   * For each number, three arrays hold the number of the list without its last coordinate, that
   * coordinate, and the count of coordinates.
   */
  private int[] parent = new int[32];

  private long[] coordinate = new long[32];
  private int[] depth = new int[32];
  private final List<PieceListMap> maps = new ArrayList<>();

  SliceCollector(int rank) {
    this.rank = rank;
    maps.add(new PieceListMap(1));
  }

  /**
   * Returns the number of the list that consists of the coordinates of list {@code from} followed
   * by {@code next}; adds the list if it is new.
   */
  int find(int from, long next) {
    int slot = hash(from, next) & slots.length - 1;
    while (slots[slot] != 0) {
      int number = slots[slot];
      if (parent[number] == from && coordinate[number] == next) {
        return number;
      }
      slot = slot + 1 & slots.length - 1;
    }
    return add(from, next);
  }

  private static int hash(int from, long next) {
    long mix = (from * 0x9e3779b97f4a7c15L + next) * 0x9e3779b97f4a7c15L;
    return (int) (mix >>> 32);
  }

  private int add(int from, long next) {
    int number = maps.size();
    if (number == parent.length) {
      parent = Arrays.copyOf(parent, 2 * number);
      coordinate = Arrays.copyOf(coordinate, 2 * number);
      depth = Arrays.copyOf(depth, 2 * number);
    }
    parent[number] = from;
    coordinate[number] = next;
    depth[number] = depth[from] + 1;
    maps.add(depth[number] == rank ? new PieceListMap(4) : maps.getFirst());
    if (2 * number >= slots.length) {
      slots = new int[Math.multiplyExact(2, slots.length)];
      for (int each = 1; each <= number; each++) {
        enter(each);
      }
    } else {
      enter(number);
    }
    return number;
  }

  private void enter(int number) {
    int slot = hash(parent[number], coordinate[number]) & slots.length - 1;
    while (slots[slot] != 0) {
      slot = slot + 1 & slots.length - 1;
    }
    slots[slot] = number;
  }

  /**
   * Returns the pieces collected for a chunk.
   *
   * @param number the number of the list of all coordinates of the chunk
   */
  PieceListMap map(int number) {
    return maps.get(number);
  }

  /**
   * Completes the pieces of all chunks.
   *
   * @return the slices in row-major order of their chunks
   */
  List<ChunkSlice> slices(ChunkGrid grid, Shape extent) {
    List<ChunkSlice> slices = new ArrayList<>();
    for (int number = 1; number < maps.size(); number++) {
      if (depth[number] == rank) {
        PieceListMap map = maps.get(number);
        slices.add(grid.slice(scaled(number), extent, map.finish(), map));
      }
    }
    slices.sort(ChunkSlice.ROW_MAJOR);
    return slices;
  }

  private long[] scaled(int number) {
    long[] scaled = new long[rank];
    int at = number;
    for (int d = rank - 1; d >= 0; d--) {
      scaled[d] = coordinate[at];
      at = parent[at];
    }
    return scaled;
  }
}
