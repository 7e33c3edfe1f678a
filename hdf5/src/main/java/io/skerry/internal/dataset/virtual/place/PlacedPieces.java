package io.skerry.internal.dataset.virtual.place;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Maps values to their places in a buffer. The values are numbered consecutively, in the order of
 * the pieces of a part.
 *
 * @param first the number of values before each piece
 * @param place the place of the first value of each piece, in elements
 * @param total the number of values
 */
public record PlacedPieces(long[] first, long[] place, long total) {
  /** The maximum number of fill values that are converted at a time. */
  private static final long BLOCK = 4096;

  /** Returns the places of the values of pieces. */
  public static PlacedPieces of(List<Piece> pieces) {
    long[] first = new long[pieces.size()];
    long[] place = new long[first.length];
    long total = 0;
    for (int i = 0; i < first.length; i++) {
      first[i] = total;
      place[i] = pieces.get(i).place();
      total += pieces.get(i).length();
    }
    return new PlacedPieces(first, place, total);
  }

  /** Processes consecutive values that have consecutive places. */
  @FunctionalInterface
  public interface Placing {
    /**
     * Processes values.
     *
     * @param value the number of the first value
     * @param place the place of the first value, in elements
     * @param length the number of values
     */
    void apply(long value, long place, long length);
  }

  /** Visits a range of values in their order, in parts that have consecutive places. */
  public void forEach(long from, long length, Placing placing) {
    long end = from + length;
    int found = Arrays.binarySearch(first, from);
    for (int i = found >= 0 ? found : -found - 2; i < first.length && first[i] < end; i++) {
      long start = Math.max(from, first[i]);
      long stop = Math.min(end, i + 1 < first.length ? first[i + 1] : total);
      placing.apply(start, place[i] + start - first[i], stop - start);
    }
  }

  /**
   * Converts pieces whose places are value numbers: replaces each number by the place of the value.
   */
  public List<Piece> placed(List<Piece> pieces) {
    List<Piece> placed = new ArrayList<>();
    for (Piece piece : pieces) {
      forEach(
          piece.place(),
          piece.length(),
          (value, at, length) ->
              placed.add(new Piece(piece.number() + value - piece.place(), at, length)));
    }
    return placed;
  }

  /** Sets all values to one element, converted to the memory datatype. */
  public void fill(MemorySegment element, Conversion conversion, MemorySegment packed) {
    int from = conversion.from().size();
    int to = conversion.to().size();
    MemorySegment block = HeapBytes.allocate(Math.min(BLOCK, total) * from);
    for (long at = 0; at < block.byteSize(); at += from) {
      MemorySegment.copy(element, 0, block, at, from);
    }
    forEach(
        0,
        total,
        (_, at, length) -> {
          for (long done = 0; done < length; done += BLOCK) {
            long count = Math.min(BLOCK, length - done);
            conversion.convert(block, packed.asSlice((at + done) * to, count * to), count);
          }
        });
  }
}
