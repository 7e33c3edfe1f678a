package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The values of a dense chunk in pages of whole elements. Pages are immutable: a write copies the
 * pages that it touches and shares all others with the previous version. All pages that were never
 * written are the same array.
 */
final class DensePages {
  /** The approximate page size in bytes, unless {@link #MOST} requires larger pages. */
  private static final int PAGE = 16 << 10;

  /** The approximate maximum number of pages in a chunk; every write copies the array of pages. */
  private static final int MOST = 1024;

  /** The minimum number of pages; a smaller chunk is copied as a whole. */
  private static final int LEAST = 4;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final ChunkElements geometry;
  private final int pageBytes;
  private final byte[][] pages;

  /** The indices of the pages that were written; the set must not be changed. */
  private final BitSet written;

  private DensePages(ChunkElements geometry, byte[][] pages, BitSet written) {
    this.geometry = geometry;
    this.pageBytes = pageBytes(geometry);
    this.pages = pages;
    this.written = written;
  }

  private static int pageBytes(ChunkElements geometry) {
    long wanted = Math.max(PAGE, geometry.bytes(geometry.count()) / MOST);
    int element = geometry.type().size();
    return (int) Math.max(1, wanted / element) * element;
  }

  private static int pages(ChunkElements geometry) {
    return (int) Math.ceilDiv(geometry.bytes(geometry.count()), pageBytes(geometry));
  }

  /**
   * Returns whether a write should use pages: the chunk has at least {@link #LEAST} pages, and the
   * write touches at most half of them.
   */
  static boolean suit(ChunkElements geometry, RunSet elements) {
    int all = pages(geometry);
    if (all < LEAST) {
      return false;
    }
    long pageElements = pageBytes(geometry) / geometry.type().size();
    long touched = 0;
    long last = -1;
    for (int i = 0; i < elements.runs() && 2 * touched <= all; i++) {
      long from = Math.max(last + 1, elements.start(i) / pageElements);
      last = (elements.end(i) - 1) / pageElements;
      touched += last + 1 - from;
    }
    return 2 * touched <= all;
  }

  /** Returns pages that hold the fill value. */
  static DensePages filled(ChunkElements geometry) {
    byte[] blank = new byte[pageBytes(geometry)];
    geometry.fillUp(MemorySegment.ofArray(blank));
    byte[][] pages = new byte[pages(geometry)][];
    Arrays.fill(pages, blank);
    return new DensePages(geometry, pages, new BitSet());
  }

  /** Returns pages with a copy of all values. */
  static DensePages of(ChunkElements geometry, MemorySegment values) {
    int size = pageBytes(geometry);
    byte[][] pages = new byte[pages(geometry)][];
    for (int p = 0; p < pages.length; p++) {
      long start = (long) p * size;
      pages[p] = values.asSlice(start, Math.min(size, values.byteSize() - start)).toArray(BYTE);
    }
    BitSet written = new BitSet();
    written.set(0, pages.length);
    return new DensePages(geometry, pages, written);
  }

  /** Returns new pages in which the values of the given elements are replaced by {@code packed}. */
  DensePages with(RunSet elements, MemorySegment packed) {
    byte[][] next = pages.clone();
    BitSet touched = (BitSet) written.clone();
    int copied = -1;
    long place = 0;
    for (int i = 0; i < elements.runs(); i++) {
      long at = geometry.bytes(elements.start(i));
      long end = geometry.bytes(elements.end(i));
      while (at < end) {
        int page = (int) (at / pageBytes);
        int start = (int) (at % pageBytes);
        int bytes = (int) Math.min(end - at, pageBytes - start);
        if (page > copied) {
          next[page] = pages[page].clone();
          touched.set(page);
          copied = page;
        }
        MemorySegment.copy(packed, BYTE, place, next[page], start, bytes);
        place += bytes;
        at += bytes;
      }
    }
    return new DensePages(geometry, next, touched);
  }

  /** Copies the values of the given elements to {@code packed}. */
  void read(RunSet elements, MemorySegment packed) {
    long place = 0;
    for (int i = 0; i < elements.runs(); i++) {
      long at = geometry.bytes(elements.start(i));
      long end = geometry.bytes(elements.end(i));
      while (at < end) {
        int start = (int) (at % pageBytes);
        int bytes = (int) Math.min(end - at, pageBytes - start);
        MemorySegment.copy(pages[(int) (at / pageBytes)], start, packed, BYTE, place, bytes);
        place += bytes;
        at += bytes;
      }
    }
  }

  /** Returns a copy of all values in one segment. */
  MemorySegment joined() {
    MemorySegment values = HeapBytes.allocate(geometry.bytes(geometry.count()));
    read(RunSet.range(0, geometry.count()), values);
    return values;
  }

  /**
   * Returns the memory that all pages use, in bytes. Pages that are shared with other versions
   * count in full.
   */
  long bytes() {
    int some = written.cardinality();
    int distinct = some < pages.length ? some + 1 : some;
    return distinct * (pageBytes + 2L * Long.BYTES) + (long) pages.length * Long.BYTES;
  }
}
