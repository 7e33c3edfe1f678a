package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.SelectionSets;
import io.skerry.selection.Shape;

/**
 * An encoded selection with a decoded header. Lists are not decoded, so a list of a million points
 * takes no additional memory until it is used. Counts have been checked against the available
 * bytes.
 *
 * <pre>
 *   0 none, 3 all       u32 version 1, eight bytes of zero
 *   1 points            v1  u32 0, u32 length, u32 rank, u32 n, coordinates of 4 bytes
 *                       v2  u8 width, u32 rank, n, coordinates, all of that width
 *   2 hyperslab         v1  u32 0, u32 length, u32 rank, u32 n, per block starts and last elements
 *                       v2  u8 flags 1, u32 length, u32 rank, start stride count block of 8 bytes
 *                       v3  u8 flags, u8 width, u32 rank, then bit 0 set: start stride count block,
 *                           else n and per block starts and last elements, all of that width
 * </pre>
 *
 * A length is the number of bytes from the rank onward. An unlimited count or block has all bits
 * set.
 *
 * <p>Sources: HDF5 File Format Specification 3.0, dataspace selections; The HDF Group's RFC on the
 * file format of structured chunks, version 28 (2025-10-09).
 */
sealed interface EncodedSelection {
  int TYPE_NONE = 0;
  int TYPE_POINTS = 1;
  int TYPE_HYPERSLAB = 2;
  int TYPE_ALL = 3;

  /** No elements. */
  record None() implements EncodedSelection {}

  /** All elements. */
  record All() implements EncodedSelection {}

  /** A list of {@code n} points. */
  record Points(int rank, long n, CoordinateArray coordinates) implements EncodedSelection {}

  /** A list of {@code n} blocks; for each block its starts, then its last elements. */
  record Blocks(int rank, long n, CoordinateArray coordinates) implements EncodedSelection {}

  /** A regular pattern. */
  record Regular(Hyperslab slab) implements EncodedSelection {}

  static EncodedSelection read(ByteReader in) {
    long type = in.u32();
    long version = in.u32();
    return switch ((int) Math.min(type, TYPE_ALL + 1)) {
      case TYPE_NONE -> plain(in, version, new None());
      case TYPE_ALL -> plain(in, version, new All());
      case TYPE_POINTS -> points(in, version);
      case TYPE_HYPERSLAB -> hyperslab(in, version);
      default -> throw in.fault("selection type", "0..3", type);
    };
  }

  private static EncodedSelection plain(ByteReader in, long version, EncodedSelection selection) {
    in.expect("selection version", 1, version);
    in.skip(8);
    return selection;
  }

  private static EncodedSelection points(ByteReader in, long version) {
    if (version != 1 && version != 2) {
      throw in.fault("point selection version", "1 or 2", version);
    }
    int width = 4;
    long length = -1;
    if (version == 1) {
      in.skip(4);
      length = in.u32();
    } else {
      width = width(in);
    }
    int rank = rank(in);
    long n = in.uint(width);
    CoordinateArray list = list(in, n, rank, width);
    checkLength(in, length, 8 + list.bytes().byteSize());
    return new Points(rank, n, list);
  }

  private static EncodedSelection hyperslab(ByteReader in, long version) {
    if (version < 1 || version > 3) {
      throw in.fault("hyperslab selection version", "1..3", version);
    }
    long length = -1;
    int width = 4;
    boolean regular = false;
    if (version == 1) {
      in.skip(4);
      length = in.u32();
    } else {
      int flags = in.u8();
      regular = (flags & 1) != 0;
      if (flags > 1 || version == 2 && !regular) {
        throw in.fault("hyperslab flags", version == 2 ? "1" : "0 or 1", flags);
      }
      if (version == 2) {
        width = 8;
        length = in.u32();
      } else {
        width = width(in);
      }
    }
    int rank = rank(in);
    if (regular) {
      CoordinateArray list = list(in, 1, 4 * rank, width);
      // In the virtual datasets of HDF5's own test files, the length covers only the rank field.
      if (length != 4) {
        checkLength(in, length, 4 + list.bytes().byteSize());
      }
      return new Regular(pattern(in, rank, list));
    }
    long n = in.uint(width);
    CoordinateArray list = list(in, n, 2 * rank, width);
    checkLength(in, length, 8 + list.bytes().byteSize());
    return new Blocks(rank, n, list);
  }

  private static int width(ByteReader in) {
    int width = in.u8();
    if (width != 2 && width != 4 && width != 8) {
      throw in.fault("bytes per coordinate", "2, 4 or 8", width);
    }
    return width;
  }

  private static int rank(ByteReader in) {
    long rank = in.u32();
    if (rank < 1 || rank > Shape.MAX_RANK) {
      throw in.fault("rank of the selection", "1..32", rank);
    }
    return (int) rank;
  }

  private static CoordinateArray list(ByteReader in, long n, int numbers, int width) {
    long each = (long) numbers * width;
    if (n < 0 || n > in.remaining() / each) {
      throw in.fault(
          "entries of the selection list",
          "at most " + in.remaining() / each,
          Long.toUnsignedString(n));
    }
    return new CoordinateArray(in.slice(n * each), width);
  }

  /**
   * Checks the length field. The field has only 32 bits, so for a list of 4 GiB or more it holds
   * the low 32 bits of the length.
   *
   * @param length the value of the field; negative if the encoding has no length field, in which
   *     case nothing is checked
   * @param actual the number of bytes from the rank onward
   */
  private static void checkLength(ByteReader in, long length, long actual) {
    if (length >= 0) {
      in.expect("length of the selection", actual & 0xffffffffL, length);
    }
  }

  private static Hyperslab pattern(ByteReader in, int rank, CoordinateArray list) {
    long[][] parts = new long[4][rank];
    for (int d = 0; d < rank; d++) {
      for (int part = 0; part < 4; part++) {
        long value = list.get(4L * d + part);
        boolean unlimited = part >= 2 && value == list.unlimited();
        if (value < 0 && !unlimited) {
          throw in.fault("dimension " + d, "at most 2^63-1", Long.toUnsignedString(value));
        }
        parts[part][d] = unlimited ? Shape.UNLIMITED : value;
      }
      long stride = parts[1][d];
      long count = parts[2][d];
      if (stride < 1 || count != 1 && stride < parts[3][d]) {
        throw in.fault("stride of dimension " + d, "at least the block " + parts[3][d], stride);
      }
    }
    try {
      Hyperslab slab = SelectionSets.hyperslab(parts[0], parts[1], parts[2], parts[3]);
      if (SelectionSets.unlimitedDimensions(slab) > 1) {
        throw in.fault(
            "unlimited dimensions", "at most 1", SelectionSets.unlimitedDimensions(slab));
      }
      return slab;
    } catch (IllegalArgumentException e) {
      throw in.fault("hyperslab", "a valid pattern", String.valueOf(e.getMessage()));
    }
  }
}
