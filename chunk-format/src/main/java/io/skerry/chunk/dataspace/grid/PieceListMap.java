package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import java.util.Arrays;

/** Pieces in a list, built in ascending order of element. */
final class PieceListMap implements ValueMap {
  /** Element index in the chunk; dropped for the rank among the slice's elements when built. */
  private long[] index;

  private long[] place;
  private long[] length;
  private int pieces;

  /**
   * @param capacity pieces to have room for
   */
  PieceListMap(int capacity) {
    index = new long[Math.max(1, capacity)];
    place = new long[index.length];
    length = new long[index.length];
  }

  /** Adds a piece; one that continues the last on both sides joins it. */
  void add(long firstIndex, long firstPlace, long elements) {
    if (pieces > 0) {
      int last = pieces - 1;
      if (index[last] + length[last] == firstIndex && place[last] + length[last] == firstPlace) {
        length[last] += elements;
        return;
      }
    }
    if (pieces == index.length) {
      index = Arrays.copyOf(index, pieces * 2);
      place = Arrays.copyOf(place, pieces * 2);
      length = Arrays.copyOf(length, pieces * 2);
    }
    index[pieces] = firstIndex;
    place[pieces] = firstPlace;
    length[pieces] = elements;
    pieces++;
  }

  /** Ends building: the set of elements; from here on pieces are known by rank. */
  RunSet finish() {
    long[] starts = new long[pieces];
    long[] ends = new long[pieces];
    int runs = 0;
    long before = 0;
    for (int i = 0; i < pieces; i++) {
      long from = index[i];
      long to = from + length[i];
      if (runs == 0 || from > ends[runs - 1]) {
        before += runs == 0 ? 0 : ends[runs - 1] - starts[runs - 1];
        starts[runs] = from;
        ends[runs++] = to;
      } else {
        ends[runs - 1] = Math.max(ends[runs - 1], to);
      }
      index[i] = before + from - starts[runs - 1];
    }
    index = trimmed(index);
    place = trimmed(place);
    length = trimmed(length);
    return RunSet.ofSorted(starts, ends, runs);
  }

  private long[] trimmed(long[] array) {
    return array.length == pieces ? array : Arrays.copyOf(array, pieces);
  }

  @Override
  public int pieces() {
    return pieces;
  }

  @Override
  public long rank(int piece) {
    return index[piece];
  }

  @Override
  public long place(int piece) {
    return place[piece];
  }

  @Override
  public long length(int piece) {
    return length[piece];
  }

  @Override
  public long places() {
    long total = 0;
    for (int i = 0; i < pieces; i++) {
      total += length[i];
    }
    return total;
  }
}
