package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.OptionalLong;

/**
 * The part of a selection within one chunk: the elements, and the position of each value among the
 * packed values of the entire selection. Immutable.
 */
public final class ChunkSlice {
  /** Row-major order of the chunks, with the first dimension most significant. */
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

  /** Returns a copy of the coordinates of the chunk in the grid. */
  public long[] scaled() {
    return scaled.clone();
  }

  /**
   * Returns the elements, by row-major index in the full chunk shape, even for partial edge chunks.
   */
  public RunSet elements() {
    return elements;
  }

  /**
   * Returns the number of values of the selection in this chunk. A point that is selected
   * repeatedly counts each time.
   */
  public long places() {
    return map.places();
  }

  /**
   * Returns whether the slice contains all elements of the chunk that are within the extent for
   * which it was cut.
   */
  public boolean coversWholeChunk() {
    return elements.count() == valid;
  }

  /**
   * Returns the position of the values in the packed selection if they form a single piece, and so
   * are contiguous there and in element order. Gather and scatter are then unnecessary.
   *
   * @return the number of values of the selection before them; empty if they form several pieces,
   *     even adjacent ones
   */
  public OptionalLong contiguousPlace() {
    return map.pieces() == 1 ? OptionalLong.of(map.place(0)) : OptionalLong.empty();
  }

  /**
   * Returns the number of pieces. A piece is a group of values that are contiguous both among the
   * packed values of the slice and in the packed selection.
   */
  public int pieces() {
    return map.pieces();
  }

  /** Receives each piece with its position in the packed selection. */
  @FunctionalInterface
  public interface PieceConsumer {
    /**
     * Receives a piece.
     *
     * @param place number of values of the selection before the piece
     * @param length number of values in the piece
     */
    void accept(long place, long length);
  }

  /** Passes all pieces to a consumer, in ascending order of their elements. */
  public void forEachPiece(PieceConsumer consumer) {
    for (int i = 0; i < map.pieces(); i++) {
      consumer.accept(map.place(i), map.length(i));
    }
  }

  /** Receives each piece with its positions in the slice and in the packed selection. */
  @FunctionalInterface
  public interface PlacedPieceConsumer {
    /**
     * Receives a piece.
     *
     * @param rank number of elements of the slice before the piece
     * @param place number of values of the selection before the piece
     * @param length number of values in the piece
     */
    void accept(long rank, long place, long length);
  }

  /**
   * Passes all pieces to a consumer, in ascending order of their elements. If a list of points
   * contains an element repeatedly, several pieces start at the same element.
   */
  public void forEachPiece(PlacedPieceConsumer consumer) {
    for (int i = 0; i < map.pieces(); i++) {
      consumer.accept(map.rank(i), map.place(i), map.length(i));
    }
  }

  /**
   * Copies the values of this chunk out of the packed selection, in ascending order of elements. If
   * a list of points contains an element repeatedly, the value of its last occurrence is stored.
   *
   * @param packedSelection values of the entire selection, in selection order; not modified
   * @param elementSize size of an element in bytes
   * @param packedSlice the destination of {@code elements().count()} values
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
   * Copies the values of this chunk to their positions in the packed selection. If a list of points
   * contains an element repeatedly, its value is copied to each position.
   *
   * @param packedSlice {@code elements().count()} values in ascending element order; not modified
   * @param elementSize size of an element in bytes
   * @param packedSelection the destination for values of the entire selection, in the order of the
   *     selection; values of other chunks are not changed
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
