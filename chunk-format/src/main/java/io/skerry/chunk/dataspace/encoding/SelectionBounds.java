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
 * selections, single blocks, and finite patterns with 31-bit parameters are read without creating
 * objects; all other selections are decoded by {@link SelectionCodec}. Local, not thread-safe.
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

  private final MemorySegment bytes;
  private final String structure;
  private final long[] start = new long[Shape.MAX_RANK];
  private final long[] end = new long[Shape.MAX_RANK];
  private Kind kind = Kind.EMPTY;
  private int rank;

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
    long past = bytes.byteSize() - at < HEADER ? -1 : simple(at);
    return past < 0 ? decoded(at) : past;
  }

  /** Reads a selection in one of the simple forms; returns -1 if it has another form. */
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
        yield one ? block(at + 24, 4) : -1;
      }
      case 2 -> {
        rank = bytes.get(U32, at + 13);
        boolean known = bytes.get(ValueLayout.JAVA_BYTE, at + 8) == 1;
        yield known && hasLength(at + 9, 4 + 32L * rank) ? pattern(at + 17, 8) : -1;
      }
      case 3 -> versionThree(at + 8);
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
    int flags = bytes.get(ValueLayout.JAVA_BYTE, at);
    int width = bytes.get(ValueLayout.JAVA_BYTE, at + 1);
    rank = bytes.get(U32, at + 2);
    boolean known = width == 2 || width == 4 || width == 8;
    if (!known || flags != 0 && flags != 1) {
      return -1;
    }
    if (flags == 1) {
      return pattern(at + 6, width);
    }
    return number(at + 6, width) == 1 ? block(at + 6 + width, width) : -1;
  }

  /**
   * Reads the first and last coordinates of a block; returns -1 if they are invalid or exceed 31
   * bits.
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
   * Reads start, stride, count and block of each dimension; returns -1 if {@link #isSmall} rejects
   * a dimension or bytes are missing.
   */
  private long pattern(long at, int width) {
    if (rank < 1 || rank > Shape.MAX_RANK || bytes.byteSize() - at < 4L * rank * width) {
      return -1;
    }
    long next = at;
    for (int d = 0; d < rank; d++) {
      long first = number(next, width);
      long stride = number(next + width, width);
      long count = number(next + 2L * width, width);
      long block = number(next + 3L * width, width);
      if (!isSmall(first, stride, count, block, width)) {
        return -1;
      }
      start[d] = first;
      end[d] = first + (count - 1) * stride + block;
      next += 4L * width;
    }
    kind = Kind.BOUNDED;
    return next;
  }

  /**
   * Returns whether a dimension of a pattern is valid, finite and not empty, and has parameters
   * that fit in 31 bits.
   */
  private static boolean isSmall(long first, long stride, long count, long block, int width) {
    long most = width == 2 ? 0xfffe : SMALL;
    return first >= 0
        && first <= SMALL
        && stride >= 1
        && stride <= SMALL
        && count >= 1
        && count <= most
        && block >= 1
        && block <= most
        && (count == 1 || stride >= block);
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
