package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A version of a dense chunk. A version holds no values in memory ({@link Unwritten}), or holds all
 * values in one segment ({@link Whole}) or in pages ({@link Paged}); successive versions share the
 * pages that did not change.
 */
sealed interface DenseChunk extends MemoryChunk {
  /** The heap memory that a version uses in addition to its values, in bytes. */
  long OVERHEAD = 64;

  /** The maximum size, in bytes, of a result whose runs are first collected in an array. */
  int STAGE = 4 << 10;

  ChunkElements geometry();

  /** Returns all values, which must not be changed. */
  MemorySegment values();

  /** Returns all values in a segment that the caller may change. */
  default MemorySegment copy() {
    return values();
  }

  /**
   * Copies the values of the given elements to {@code packed}. The caller has checked all
   * arguments.
   */
  void read(RunSet elements, MemorySegment packed);

  /**
   * Copies the values of rows to their positions in a block. The caller has checked all arguments.
   */
  default void readRows(ChunkRows rows, MemorySegment block) {
    PackedRows.read(rows, geometry().bytes(1), block, this::read);
  }

  /**
   * Returns the version that results from writing some, but not all, elements of this version. The
   * caller has checked all arguments.
   */
  default DenseChunk write(RunSet elements, MemorySegment packed) {
    if (DensePages.suit(geometry(), elements)) {
      return new Paged(geometry(), pages().with(elements, packed));
    }
    MemorySegment values = copy();
    scatter(geometry(), elements, packed, values);
    return new Whole(geometry(), values);
  }

  /** Returns all values as pages. */
  DensePages pages();

  /**
   * Returns the size of this version or, if greater, the size of one segment with all values, into
   * which the pages are joined when the version is stored.
   */
  @Override
  default long unstoredBytes() {
    return Math.max(bytes(), OVERHEAD + geometry().bytes(geometry().count()));
  }

  @Override
  default long definedCount() {
    return geometry().count();
  }

  /**
   * Copies the values of the given elements to {@code packed}, from a segment that contains all
   * values.
   */
  static void gather(
      ChunkElements geometry, MemorySegment values, RunSet elements, MemorySegment packed) {
    if (elements.runs() > 1
        && packed.byteSize() <= STAGE
        && values.heapBase().orElse(values) instanceof byte[] array) {
      byte[] stage = staged(geometry, array, values.address(), elements);
      MemorySegment.copy(stage, 0, packed, ValueLayout.JAVA_BYTE, 0, stage.length);
      return;
    }
    long at = 0;
    for (int i = 0; i < elements.runs(); i++) {
      long bytes = geometry.bytes(elements.length(i));
      MemorySegment.copy(values, geometry.bytes(elements.start(i)), packed, at, bytes);
      at += bytes;
    }
  }

  private static void gather(
      ChunkElements geometry, MemorySegment values, ChunkRows rows, MemorySegment block) {
    long bytes = geometry.bytes(rows.length());
    long place = geometry.bytes(rows.place(0));
    long step = geometry.bytes(rows.placePitch());
    if (rows.rows() > 1
        && values.heapBase().orElse(values) instanceof byte[] array
        && block.heapBase().orElse(block) instanceof byte[] target) {
      // A copy of a short row between arrays takes few instructions, so the processor can overlap
      // the cache misses of many rows, which are far apart in memory.
      int from = (int) (values.address() + geometry.bytes(rows.start(0)));
      int pitch = (int) geometry.bytes(rows.pitch());
      int to = (int) (block.address() + place);
      for (int row = 0; row < (int) rows.rows(); row++, from += pitch, to += (int) step) {
        System.arraycopy(array, from, target, to, (int) bytes);
      }
      return;
    }
    for (long row = 0; row < rows.rows(); row++, place += step) {
      MemorySegment.copy(values, geometry.bytes(rows.start(row)), block, place, bytes);
    }
  }

  /**
   * Collects short runs in an array. A copy of a short run between arrays takes few instructions,
   * so the processor can overlap the cache misses of many runs, which are far apart in memory.
   *
   * @param start the offset of the values in the array
   */
  private static byte[] staged(ChunkElements geometry, byte[] array, long start, RunSet elements) {
    byte[] stage = new byte[(int) geometry.bytes(elements.count())];
    int at = 0;
    for (int i = 0; i < elements.runs(); i++) {
      int from = (int) (start + geometry.bytes(elements.start(i)));
      int bytes = (int) geometry.bytes(elements.length(i));
      System.arraycopy(array, from, stage, at, bytes);
      at += bytes;
    }
    return stage;
  }

  private static void scatter(
      ChunkElements geometry, RunSet elements, MemorySegment packed, MemorySegment values) {
    long at = 0;
    for (int i = 0; i < elements.runs(); i++) {
      long bytes = geometry.bytes(elements.length(i));
      MemorySegment.copy(packed, at, values, geometry.bytes(elements.start(i)), bytes);
      at += bytes;
    }
  }

  /** A version in which all elements have the fill value. */
  record Unwritten(ChunkElements geometry) implements DenseChunk {
    @Override
    public long bytes() {
      return OVERHEAD;
    }

    @Override
    public MemorySegment values() {
      MemorySegment values = HeapBytes.allocate(geometry.bytes(geometry.count()));
      geometry.fillUp(values);
      return values;
    }

    @Override
    public void read(RunSet elements, MemorySegment packed) {
      geometry.fillUp(packed);
    }

    @Override
    public DensePages pages() {
      return DensePages.filled(geometry);
    }
  }

  /** A version with all values in one segment. */
  record Whole(ChunkElements geometry, MemorySegment values) implements DenseChunk {
    @Override
    public long bytes() {
      return OVERHEAD + values.byteSize();
    }

    @Override
    public MemorySegment copy() {
      return HeapBytes.copyOf(values);
    }

    @Override
    public void read(RunSet elements, MemorySegment packed) {
      gather(geometry, values, elements, packed);
    }

    @Override
    public void readRows(ChunkRows rows, MemorySegment block) {
      gather(geometry, values, rows, block);
    }

    @Override
    public DensePages pages() {
      return DensePages.of(geometry, values);
    }
  }

  /** A version with its values in pages. */
  record Paged(ChunkElements geometry, DensePages pages) implements DenseChunk {
    @Override
    public long bytes() {
      return OVERHEAD + pages.bytes();
    }

    @Override
    public MemorySegment values() {
      return pages.joined();
    }

    @Override
    public void read(RunSet elements, MemorySegment packed) {
      pages.read(elements, packed);
    }
  }
}
