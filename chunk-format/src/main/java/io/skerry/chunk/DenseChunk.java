package io.skerry.chunk;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.space.RunSet;
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

  /** Runs that are fetched together: about as many as a processor waits for at the same time. */
  int TOGETHER = 16;

  ChunkElements geometry();

  /** All values, not to be changed. */
  MemorySegment values();

  /** All values, the caller's own. */
  default MemorySegment copy() {
    return values();
  }

  /** Some values; all arguments are checked. */
  void read(RunSet elements, MemorySegment packed);

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

  @Override
  default long definedCount() {
    return geometry().count();
  }

  /** Out of all values. */
  static void gather(
      ChunkElements geometry, MemorySegment values, RunSet elements, MemorySegment packed) {
    long at = 0;
    for (int first = 0; first < elements.runs(); first += TOGETHER) {
      int end = Math.min(elements.runs(), first + TOGETHER);
      if (end - first > 1) {
        packed.set(ValueLayout.JAVA_BYTE, at, touched(geometry, values, elements, first, end));
      }
      for (int i = first; i < end; i++) {
        long bytes = geometry.bytes(elements.length(i));
        MemorySegment.copy(values, geometry.bytes(elements.start(i)), packed, at, bytes);
        at += bytes;
      }
    }
  }

  /**
   * Reads a byte of each of some runs, so that the processor fetches what they lie in at the same
   * time, and not one run after the other is copied: short rows of a chunk have to be waited for
   * longer than it takes to copy them.
   *
   * @return to be stored where it is overwritten, since bytes that nobody wants are not read
   */
  private static byte touched(
      ChunkElements geometry, MemorySegment values, RunSet elements, int first, int end) {
    byte all = 0;
    for (int i = first; i < end; i++) {
      all |= values.get(ValueLayout.JAVA_BYTE, geometry.bytes(elements.start(i)));
    }
    return all;
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
