package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import java.util.Arrays;

/** A list of pieces, built in ascending order of elements. */
final class PieceListMap implements ValueMap {
  /**
   * For each piece, the index of its first element in the chunk; after {@link #finish}, the
   * position of that element among the elements of the slice.
   */
  private long[] index;

  private long[] place;
  private long[] length;
  private int pieces;

  /**
   * Creates an empty list.
   *
   * @param capacity expected number of pieces; more may be added
   */
  PieceListMap(int capacity) {
    index = new long[Math.max(1, capacity)];
    place = new long[index.length];
    length = new long[index.length];
  }

  /**
   * Adds a piece that does not start before the last one in the chunk. If it continues the last one
   * both in the chunk and in the packed selection, the two are joined.
   *
   * @param firstIndex row-major index of the first element in the chunk
   * @param firstPlace number of values of the selection before the piece
   * @param elements number of elements in the piece
   */
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

  /**
   * Completes the list. Afterwards, each piece has its position among the elements of the slice
   * instead of an element index.
   *
   * @return the set of all elements
   */
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
