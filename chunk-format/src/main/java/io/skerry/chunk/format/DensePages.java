package io.skerry.chunk.format;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The values of a dense chunk in pages of whole elements. Nothing changes a page once it is part of
 * this: a write copies those that it touches and shares the others with what there was. Pages that
 * nobody wrote are all one.
 */
final class DensePages {
  /** Bytes of a page, about; to copy it takes as long as a few small writes do otherwise. */
  private static final int PAGE = 16 << 10;

  /** Pages of a chunk at most: the list of them is copied by every write. */
  private static final int MOST = 1024;

  /** Pages at least; a chunk of fewer is copied as a whole as quickly. */
  private static final int LEAST = 4;

  private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;

  private final ChunkElements geometry;
  private final int pageBytes;
  private final byte[][] pages;

  /** Pages that somebody wrote; not to be changed. */
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

  /** Whether a write is so small that pages pay: it touches half of them at most. */
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

  /** All fill value. */
  static DensePages filled(ChunkElements geometry) {
    byte[] blank = new byte[pageBytes(geometry)];
    geometry.fillUp(MemorySegment.ofArray(blank));
    byte[][] pages = new byte[pages(geometry)][];
    Arrays.fill(pages, blank);
    return new DensePages(geometry, pages, new BitSet());
  }

  /** A copy of all values. */
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

  /** With some values replaced. */
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

  /** Some values. */
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

  /** All values in one segment. */
  MemorySegment joined() {
    MemorySegment values = HeapBytes.allocate(geometry.bytes(geometry.count()));
    read(RunSet.range(0, geometry.count()), values);
    return values;
  }

  /** Bytes that all pages take, as if no other version had them too. */
  long bytes() {
    int some = written.cardinality();
    int distinct = some < pages.length ? some + 1 : some;
    return distinct * (pageBytes + 2L * Long.BYTES) + (long) pages.length * Long.BYTES;
  }
}
