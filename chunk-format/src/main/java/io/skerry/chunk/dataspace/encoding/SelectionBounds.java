package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.selection.AllSelection;
import io.skerry.selection.Box;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;

/**
 * A cursor over encoded selections that checks each selection and computes its bounding box. "All"
 * selections, single blocks, and finite patterns are usually read without creating objects if their
 * numbers fit in 31 bits; all other selections are decoded by {@link SelectionCodec}. A header that
 * equals the previous one, as usual in a list of selections, is compared but not decoded again.
 * Local, not thread-safe.
 */
public final class SelectionBounds {
  private static final ValueLayout.OfShort U16 =
      ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final ValueLayout.OfLong U64 =
      ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  /** The size in bytes of the longest header, that of a list of blocks in version 1. */
  private static final int HEADER = 24;

  private static final long SMALL = Integer.MAX_VALUE;

  /** The sign bits of two adjacent four-byte numbers. */
  private static final long SIGNS = 0x8000_0000_8000_0000L;

  private final MemorySegment bytes;
  private final String structure;
  private final long[] start = new long[Shape.MAX_RANK];
  private final long[] end = new long[Shape.MAX_RANK];
  private Kind kind = Kind.EMPTY;
  private int rank;

  /**
   * The size, in bytes, of the last decoded header that precedes coordinates, 14 to 24; 0 if no
   * such header has been decoded yet.
   */
  private int headerSize;

  /** The first eight bytes of the last header. */
  private long headerStart;

  /** The eight bytes after {@link #headerStart}; compared only if the header exceeds 16 bytes. */
  private long headerMiddle;

  /** The last eight bytes of the last header. */
  private long headerEnd;

  private Form headerForm = Form.BLOCK;
  private int headerRank;
  private int headerWidth;

  /** The coordinates after a header. */
  private enum Form {
    /** The first and the last coordinates of one block. */
    BLOCK,
    /** Start, stride, count and block of each dimension. */
    PATTERN
  }

  /** Classifies a selection by its bounds. */
  public enum Kind {
    /** No elements. */
    EMPTY,
    /** All elements of any dataspace. */
    ALL,
    /** Elements within a box. */
    BOUNDED,
    /** A hyperslab that is unlimited in one dimension. */
    UNLIMITED
  }

  /**
   * Creates a cursor.
   *
   * @param bytes the bytes that contain the selections
   * @param structure the name of the structure that the bytes hold, for error messages
   */
  public SelectionBounds(MemorySegment bytes, String structure) {
    this.bytes = bytes;
    this.structure = structure;
  }

  /**
   * Reads a selection.
   *
   * @param at the offset of the selection
   * @return the offset of its end
   * @throws FormatException if the bytes are not an encoded selection
   */
  public long read(long at) {
    long past = -1;
    if (bytes.byteSize() - at >= HEADER) {
      past = hasLastHeader(at) ? coordinates(at) : simple(at);
    }
    return past < 0 ? decoded(at) : past;
  }

  private boolean hasLastHeader(long at) {
    int size = headerSize;
    return size > 0
        && bytes.get(U64, at) == headerStart
        && bytes.get(U64, at + size - 8) == headerEnd
        && (size <= 16 || bytes.get(U64, at + 8) == headerMiddle);
  }

  /** Reads a selection whose header equals the last one; returns -1 if {@link #decoded} must. */
  private long coordinates(long at) {
    rank = headerRank;
    long next = at + headerSize;
    return headerForm == Form.PATTERN ? pattern(next, headerWidth) : block(next, headerWidth);
  }

  /** Reads a selection with a new header; returns -1 if {@link #decoded} must read it. */
  private long coordinates(long at, int size, Form form, int width) {
    headerSize = size;
    headerStart = bytes.get(U64, at);
    headerMiddle = bytes.get(U64, at + 8);
    headerEnd = bytes.get(U64, at + size - 8);
    headerForm = form;
    headerRank = rank;
    headerWidth = width;
    return coordinates(at);
  }

  /** Reads a selection without creating objects; returns -1 if {@link #decoded} must read it. */
  private long simple(long at) {
    int type = bytes.get(U32, at);
    int version = bytes.get(U32, at + 4);
    if (type != EncodedSelection.TYPE_HYPERSLAB) {
      return type == EncodedSelection.TYPE_ALL && version == 1 ? all(at) : -1;
    }
    return switch (version) {
      case 1 -> {
        rank = bytes.get(U32, at + 16);
        boolean one = bytes.get(U32, at + 20) == 1 && hasLength(at + 12, 8 + 8L * rank);
        yield one ? coordinates(at, 24, Form.BLOCK, 4) : -1;
      }
      case 2 -> {
        rank = bytes.get(U32, at + 13);
        boolean known = bytes.get(ValueLayout.JAVA_BYTE, at + 8) == 1;
        boolean fits = known && hasLength(at + 9, 4 + 32L * rank);
        yield fits ? coordinates(at, 17, Form.PATTERN, 8) : -1;
      }
      case 3 -> versionThree(at);
      default -> -1;
    };
  }

  private boolean hasLength(long at, long expected) {
    return bytes.get(U32, at) == expected;
  }

  private long all(long at) {
    kind = Kind.ALL;
    rank = 0;
    return at + 16;
  }

  private long versionThree(long at) {
    int flags = bytes.get(ValueLayout.JAVA_BYTE, at + 8);
    int width = bytes.get(ValueLayout.JAVA_BYTE, at + 9);
    rank = bytes.get(U32, at + 10);
    boolean known = width == 2 || width == 4 || width == 8;
    if (!known || flags != 0 && flags != 1) {
      return -1;
    }
    if (flags == 1) {
      return coordinates(at, 14, Form.PATTERN, width);
    }
    return number(at + 14, width) == 1 ? coordinates(at, 14 + width, Form.BLOCK, width) : -1;
  }

  /**
   * Reads the first and last coordinates of a block; returns -1 if they are invalid, if one is
   * 2^31-1 or more, or if bytes are missing.
   */
  private long block(long at, int width) {
    if (rank < 1 || rank > Shape.MAX_RANK || bytes.byteSize() - at < 2L * rank * width) {
      return -1;
    }
    long ends = at + (long) rank * width;
    for (int d = 0; d < rank; d++) {
      long first = number(at + (long) d * width, width);
      long last = number(ends + (long) d * width, width);
      if (first < 0 || last < first || last >= SMALL) {
        return -1;
      }
      start[d] = first;
      end[d] = last + 1;
    }
    kind = Kind.BOUNDED;
    return ends + (long) rank * width;
  }

  /**
   * Reads start, stride, count and block of each dimension; returns -1 if a dimension is invalid,
   * unlimited or empty, a parameter exceeds 31 bits, or bytes are missing.
   */
  private long pattern(long at, int width) {
    long past = at + 4L * rank * width;
    if (rank < 1 || rank > Shape.MAX_RANK || past > bytes.byteSize()) {
      return -1;
    }
    for (int d = 0; d < rank; d++) {
      long next = at + 4L * d * width;
      boolean small =
          switch (width) {
            case 2 -> pattern2(d, bytes.get(U64, next));
            case 4 -> pattern4(d, bytes.get(U64, next), bytes.get(U64, next + 8));
            default -> pattern8(d, next);
          };
      if (!small) {
        return -1;
      }
    }
    kind = Kind.BOUNDED;
    return past;
  }

  private boolean pattern2(int dimension, long all) {
    long count = all >>> 32 & 0xffff;
    long block = all >>> 48;
    // All bits of a count or block are set if it is unlimited.
    return count < 0xffff
        && block < 0xffff
        && add(dimension, all & 0xffff, all >>> 16 & 0xffff, count, block);
  }

  private boolean pattern4(int dimension, long where, long size) {
    return ((where | size) & SIGNS) == 0
        && add(dimension, where & SMALL, where >>> 32, size & SMALL, size >>> 32);
  }

  private boolean pattern8(int dimension, long at) {
    long first = bytes.get(U64, at);
    long stride = bytes.get(U64, at + 8);
    long count = bytes.get(U64, at + 16);
    long block = bytes.get(U64, at + 24);
    return ((first | stride | count | block) & ~SMALL) == 0
        && add(dimension, first, stride, count, block);
  }

  /**
   * Records the bounds in one dimension of a pattern whose parameters have at most 31 bits; returns
   * false if the pattern is empty or invalid.
   */
  private boolean add(int dimension, long first, long stride, long count, long block) {
    start[dimension] = first;
    end[dimension] = first + (count - 1) * stride + block;
    return stride >= 1 && count >= 1 && block >= 1 && (count == 1 || stride >= block);
  }

  private long number(long at, int width) {
    return switch (width) {
      case 2 -> bytes.get(U16, at) & 0xffff;
      case 4 -> bytes.get(U32, at) & 0xffffffffL;
      default -> bytes.get(U64, at);
    };
  }

  private long decoded(long at) {
    ByteReader in = ByteReader.of(bytes, structure);
    in.skip(at);
    set(SelectionCodec.decodeSelection(in));
    return in.position();
  }

  /** Makes a decoded selection the current selection, as if it had been read last. */
  public void set(Selection selection) {
    rank = selection.rank().orElse(0);
    if (selection instanceof Hyperslab slab && slab.isUnlimited()) {
      kind = Kind.UNLIMITED;
      return;
    }
    Optional<Box> box = SelectionSets.bounds(selection);
    kind = selection instanceof AllSelection ? Kind.ALL : Kind.EMPTY;
    for (int d = 0; box.isPresent() && d < rank; d++) {
      kind = Kind.BOUNDED;
      start[d] = box.get().start(d);
      end[d] = box.get().end(d);
    }
  }

  /** Returns the kind of the selection read last. */
  public Kind kind() {
    return kind;
  }

  /** Returns the rank of the selection read last; 0 if it is valid for any rank. */
  public int rank() {
    return rank;
  }

  /** Returns the first coordinate of the bounding box of a bounded selection. */
  public long start(int dimension) {
    return start[dimension];
  }

  /** Returns the exclusive end of the bounding box of a bounded selection. */
  public long end(int dimension) {
    return end[dimension];
  }
}
