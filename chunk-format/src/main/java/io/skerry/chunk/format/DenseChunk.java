package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The versions of a dense chunk. One in which nothing was written has no memory, whatever size the
 * file claims. What was decoded or written as a whole is one heap segment. Once a small part has
 * been written, there are pages, which versions share as far as they are the same: writing a chunk
 * row by row costs in proportion to the rows, not to the chunk each time.
 */
sealed interface DenseChunk extends MemoryChunk {
  /** Bytes of the objects around the values. */
  long OVERHEAD = 64;

  /** Bytes up to which short runs are put together in an array first. */
  int STAGE = 4 << 10;

  ChunkElements geometry();

  /** All values, not to be changed. */
  MemorySegment values();

  /** All values, the caller's own. */
  default MemorySegment copy() {
    return values();
  }

  /** Some values; all arguments are checked. */
  void read(RunSet elements, MemorySegment packed);

  /** Values that are rows, to their places in a block; all arguments are checked. */
  default void readRows(ChunkRows rows, MemorySegment block) {
    PackedRows.read(rows, geometry().bytes(1), block, this::read);
  }

  /** The version after writing some elements, not all; all arguments are checked. */
  default DenseChunk write(RunSet elements, MemorySegment packed) {
    if (DensePages.suit(geometry(), elements)) {
      return new Paged(geometry(), pages().with(elements, packed));
    }
    MemorySegment values = copy();
    scatter(geometry(), elements, packed, values);
    return new Whole(geometry(), values);
  }

  /** All values, as pages. */
  DensePages pages();

  /** To be stored, a version of pages is joined to one block. */
  @Override
  default long unstoredBytes() {
    return Math.max(bytes(), OVERHEAD + geometry().bytes(geometry().count()));
  }

  @Override
  default long definedCount() {
    return geometry().count();
  }

  /** Out of all values. */
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
      // From array to array a short row is a few instructions, so that the processor waits for many
      // of them at once: they lie far apart in memory.
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
   * Short runs put together from array to array: each is a few instructions, so that the processor
   * waits for many of them at once. They lie far apart in memory.
   *
   * @param start of the values in the array
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

  /** All fill value. */
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

  /** All values in one segment. */
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

  /** Values in pages. */
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
