package io.skerry.chunk.dataspace.grid;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.datatype.conversion.Conversion;
import java.lang.foreign.MemorySegment;

/**
 * Moves the values of one chunk's part of a selection and converts them on the way: {@link
 * ChunkSlice#gather} and {@link ChunkSlice#scatter} between two types. Long pieces are converted
 * from place to place, short ones together in a stage of bounded size.
 *
 * @param conversion from the type that is read to that which is written
 */
public record SliceConversion(Conversion conversion) {
  /** Fewer values are not worth a call of the conversion. */
  private static final long LONG_PIECE = 64;

  /** Bytes of the stage; it stays in the nearest caches. */
  private static final long STAGE = 64 << 10;

  /**
   * Collects the values of a chunk.
   *
   * @param packedSelection values of the whole selection, in the type that comes in; only read
   * @param packedSlice room for the slice's values, in the type that goes out; holds what the
   *     conversion keeps
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
   * Hands a chunk's values out to their places.
   *
   * @param packedSlice values of the slice, in the type that comes in; only read
   * @param packedSelection room for the values of the whole selection, in the type that goes out;
   *     holds what the conversion keeps
   */
  public void scatter(ChunkSlice slice, MemorySegment packedSlice, MemorySegment packedSelection) {
    int size = conversion.from().size();
    if (conversion.isIdentity()) {
      slice.scatter(packedSlice, size, packedSelection);
      return;
    }
    ScatterStage stage = new ScatterStage(packedSlice, slice.elements().count());
    slice.forEachPiece((rank, place, length) -> {
      // What is kept stands where the value goes, and nowhere else.
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

  /** Values that follow each other in the slice, waiting for their conversion. */
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

  /** Values of the slice that are converted already. */
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
