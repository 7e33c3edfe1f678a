package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;

/**
 * Copies and converts the values of one chunk's part of a selection: {@link ChunkSlice#gather} and
 * {@link ChunkSlice#scatter} between two types. Long pieces are converted directly from source to
 * target. Short ones are converted together through a buffer of limited size, unless {@link
 * #scatter} must keep the background at each position.
 *
 * @param conversion conversion from the source type to the target type
 */
public record SliceConversion(Conversion conversion) {
  /** Minimum number of values for which a separate call to the conversion is worthwhile. */
  private static final long LONG_PIECE = 64;

  /**
   * Maximum size of the buffer in bytes, chosen to fit in the CPU caches; the buffer is larger only
   * if {@code LONG_PIECE} elements need more.
   */
  private static final long STAGE = 64 << 10;

  /**
   * Copies and converts the values of a chunk out of the packed selection.
   *
   * @param packedSelection values of the entire selection, in the source type; not modified
   * @param packedSlice the destination of the values of the slice, in the target type; initially
   *     contains the background that the conversion keeps
   */
  public void gather(ChunkSlice slice, MemorySegment packedSelection, MemorySegment packedSlice) {
    int size = conversion.from().size();
    if (conversion.isIdentity()) {
      slice.gather(packedSelection, size, packedSlice);
      return;
    }
    GatherStage stage = new GatherStage(packedSlice);
    slice.forEachPiece((rank, place, length) -> {
      MemorySegment piece = packedSelection.asSlice(place * size, length * size);
      if (length >= LONG_PIECE) {
        stage.flush();
        convert(piece, packedSlice, rank, length);
      } else {
        stage.add(rank, piece, length);
      }
    });
    stage.flush();
  }

  /**
   * Copies and converts the values of a chunk to their positions in the packed selection.
   *
   * @param packedSlice values of the slice, in the source type; not modified
   * @param packedSelection the destination of the values, in the target type; initially contains
   *     the background that the conversion keeps
   */
  public void scatter(ChunkSlice slice, MemorySegment packedSlice, MemorySegment packedSelection) {
    int size = conversion.from().size();
    if (conversion.isIdentity()) {
      slice.scatter(packedSlice, size, packedSelection);
      return;
    }
    ScatterStage stage = new ScatterStage(packedSlice, slice.elements().count());
    slice.forEachPiece((rank, place, length) -> {
      // The stage holds no background. A conversion that keeps the background must therefore write
      // each value directly to its position in the selection.
      if (length >= LONG_PIECE || conversion.keepsBackground()) {
        MemorySegment piece = packedSlice.asSlice(rank * size, length * size);
        convert(piece, packedSelection, place, length);
      } else {
        stage.copy(rank, packedSelection, place, length);
      }
    });
  }

  private void convert(MemorySegment in, MemorySegment out, long place, long length) {
    int size = conversion.to().size();
    conversion.convert(in, out.asSlice(place * size, length * size), length);
  }

  private static long stageElements(int size, long elements) {
    return Math.min(elements, Math.max(LONG_PIECE, STAGE / size));
  }

  /** Collects consecutive values of the slice before their conversion. */
  private final class GatherStage {
    private final MemorySegment packedSlice;
    private final int size = conversion.from().size();
    private final long room;
    private MemorySegment values = MemorySegment.NULL;
    private long first;
    private long count;

    GatherStage(MemorySegment packedSlice) {
      this.packedSlice = packedSlice;
      this.room = stageElements(size, packedSlice.byteSize() / conversion.to().size());
    }

    void add(long rank, MemorySegment piece, long length) {
      if (rank != first + count || count + length > room) {
        flush();
        first = rank;
      }
      if (values.byteSize() == 0) {
        values = HeapBytes.allocate(room * size);
      }
      MemorySegment.copy(piece, 0, values, count * size, piece.byteSize());
      count += length;
    }

    void flush() {
      if (count > 0) {
        convert(values, packedSlice, first, count);
        first += count;
        count = 0;
      }
    }
  }

  /** Holds consecutive values of the slice after their conversion. */
  private final class ScatterStage {
    private final MemorySegment packedSlice;
    private final long elements;
    private final int size = conversion.to().size();
    private final long room;
    private MemorySegment values = MemorySegment.NULL;
    private long first;
    private long count;

    ScatterStage(MemorySegment packedSlice, long elements) {
      this.packedSlice = packedSlice;
      this.elements = elements;
      this.room = stageElements(Math.max(size, conversion.from().size()), elements);
    }

    void copy(long rank, MemorySegment packedSelection, long place, long length) {
      if (rank < first || rank + length > first + count) {
        convertFrom(rank);
      }
      MemorySegment.copy(
          values, (rank - first) * size, packedSelection, place * size, length * size);
    }

    private void convertFrom(long rank) {
      if (values.byteSize() == 0) {
        values = HeapBytes.allocate(room * size);
      }
      first = rank;
      count = Math.min(room, elements - rank);
      int inSize = conversion.from().size();
      convert(packedSlice.asSlice(rank * inSize, count * inSize), values, 0, count);
    }
  }
}
