package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalLong;

/**
 * What a selection takes from one chunk: which elements, and where each stands among the packed
 * values of the whole selection. Immutable.
 */
public final class ChunkSlice {
  /** By chunk, the first dimension counting most. */
  static final Comparator<ChunkSlice> ROW_MAJOR =
      Comparator.comparing(slice -> slice.scaled, Arrays::compare);

  private final long[] scaled;
  private final long valid;
  private final RunSet elements;
  private final ValueMap map;

  ChunkSlice(long[] scaled, long valid, RunSet elements, ValueMap map) {
    this.scaled = scaled;
    this.valid = valid;
    this.elements = elements;
    this.map = map;
  }

  /** Which chunk: its first element divided by the chunk size, per dimension. */
  public long[] scaled() {
    return scaled.clone();
  }

  /** The elements, by row-major index in the full chunk shape, at the edge of the extent too. */
  public RunSet elements() {
    return elements;
  }

  /** Places in the selection that lie in this chunk: the elements, repeated points repeatedly. */
  public long places() {
    return map.places();
  }

  /** Whether these are all elements of the chunk that lie inside the extent it was cut for. */
  public boolean coversWholeChunk() {
    return elements.count() == valid;
  }

  /**
   * Where the values begin among those of the selection, if they stand there together and in
   * element order, so that nothing has to be gathered or scattered.
   *
   * @return number of values of the selection before them; empty if they are apart
   */
  public OptionalLong contiguousPlace() {
    return map.pieces() == 1 ? OptionalLong.of(map.place(0)) : OptionalLong.empty();
  }

  /** Number of pieces of values that stand together among those of the selection. */
  public int pieces() {
    return map.pieces();
  }

  /** What takes a piece: number of values of the selection before it, and of its own. */
  @FunctionalInterface
  public interface PieceConsumer {
    void accept(long place, long length);
  }

  /** Gives the pieces in ascending element order. */
  public void forEachPiece(PieceConsumer consumer) {
    for (int i = 0; i < map.pieces(); i++) {
      consumer.accept(map.place(i), map.length(i));
    }
  }

  /** What takes a piece with both its places. */
  @FunctionalInterface
  public interface PlacedPieceConsumer {
    /**
     * One piece.
     *
     * @param rank number of elements of the slice before it
     * @param place number of values of the selection before it
     */
    void accept(long rank, long place, long length);
  }

  /**
   * Gives the pieces in ascending element order; where a list of points names an element more than
   * once, a piece begins at the same element as the one before it.
   */
  public void forEachPiece(PlacedPieceConsumer consumer) {
    for (int i = 0; i < map.pieces(); i++) {
      consumer.accept(map.rank(i), map.place(i), map.length(i));
    }
  }

  /**
   * Collects this chunk's values in ascending element order. Where a list of points names an
   * element more than once, the last value counts.
   *
   * @param packedSelection values of the whole selection in its order; only read
   * @param elementSize bytes per element
   * @param packedSlice room for {@code elements().count()} values
   * @throws IndexOutOfBoundsException if a segment is too small
   */
  public void gather(MemorySegment packedSelection, int elementSize, MemorySegment packedSlice) {
    for (int i = 0; i < map.pieces(); i++) {
      MemorySegment.copy(
          packedSelection,
          map.place(i) * elementSize,
          packedSlice,
          map.rank(i) * elementSize,
          map.length(i) * elementSize);
    }
  }

  /**
   * Hands this chunk's values out to their places. A repeated point receives its value each time.
   *
   * @param packedSlice {@code elements().count()} values in ascending element order; only read
   * @param elementSize bytes per element
   * @param packedSelection room for the values of the whole selection
   * @throws IndexOutOfBoundsException if a segment is too small
   */
  public void scatter(MemorySegment packedSlice, int elementSize, MemorySegment packedSelection) {
    for (int i = 0; i < map.pieces(); i++) {
      MemorySegment.copy(
          packedSlice,
          map.rank(i) * elementSize,
          packedSelection,
          map.place(i) * elementSize,
          map.length(i) * elementSize);
    }
  }

  @Override
  public String toString() {
    return "chunk " + Arrays.toString(scaled) + " " + elements;
  }
}
