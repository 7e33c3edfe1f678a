package io.skerry.format.message.dataset;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import io.skerry.selection.Shape;

/**
 * The dataspace message (0x0001): the extent of a dataset or attribute. Reads versions 1 and 2.
 * Writes version 2 or, in object headers of version 1, version 1 unless the dataspace is null.
 * Source: HDF5 File Format Specification 3.0, section IV.A.2.b, "The Dataspace Message".
 *
 * <pre>
 * v1: 01 | rank u8 | flags u8 | reserved 5        | extent L each | maximum L each if flag bit 0
 * v2: 02 | rank u8 | flags u8 | 0 scalar, 1 simple, 2 null u8
 *     | extent L each | maximum L each if flag bit 0
 * </pre>
 *
 * <p>An unlimited maximum is stored with all bits set. Version 1 with rank 0 is a scalar.
 *
 * @param kind scalar, simple or null
 * @param shape the extent; {@link Shape#scalar} unless simple
 * @param maximum the storage of a maximum extent that is equal to the extent
 */
public record DataspaceMessage(Kind kind, Shape shape, Maximum maximum) implements Message {
  /** Message type. */
  public static final int TYPE = 0x0001;

  /** Kinds of dataspaces. */
  public enum Kind {
    /** One element, without dimensions. */
    SCALAR,
    /** A multidimensional array of elements. */
    SIMPLE,
    /** No elements. */
    NULL
  }

  /** Storage of a maximum extent that is equal to the extent. */
  public enum Maximum {
    /**
     * The maximum is stored. Otherwise, after a dataset has shrunk, HDF5 would use the new extent
     * as the maximum, although the chunk index depends on the original maximum.
     */
    WRITTEN,
    /** Only the extent is stored; some other programs write this form. */
    IMPLIED
  }

  /**
   * Returns a dataspace with the given shape; scalar if the shape has no dimensions.
   *
   * @throws IllegalArgumentException if there are more than 2^63 - 1 elements; {@link #decode}
   *     would reject the stored message
   */
  public static DataspaceMessage of(Shape shape) {
    shape.requireCountable();
    return new DataspaceMessage(
        shape.rank() == 0 ? Kind.SCALAR : Kind.SIMPLE, shape, Maximum.WRITTEN);
  }

  /** Returns the null dataspace. */
  public static DataspaceMessage empty() {
    return new DataspaceMessage(Kind.NULL, Shape.scalar(), Maximum.WRITTEN);
  }

  public static DataspaceMessage decode(ByteReader in, Widths widths) {
    int version = in.u8();
    int rank = in.u8();
    int flags = in.u8();
    if (rank > Shape.MAX_RANK) {
      throw in.fault("rank", "at most " + Shape.MAX_RANK, rank);
    }
    Kind kind;
    switch (version) {
      case 1 -> {
        in.skip(5);
        kind = rank == 0 ? Kind.SCALAR : Kind.SIMPLE;
      }
      case 2 -> kind = kind(in, rank);
      default -> throw in.fault("dataspace version", "1 or 2", version);
    }
    long[] extent = new long[rank];
    for (int i = 0; i < rank; i++) {
      extent[i] = widths.readLength(in, "extent of dimension " + i);
    }
    boolean written = (flags & 1) != 0;
    long[] maximum = written ? maximum(in, widths, extent) : extent;
    if (kind == Kind.NULL) {
      return empty();
    }
    return new DataspaceMessage(
        kind,
        checked(in, Shape.of(extent, maximum)),
        written || rank == 0 ? Maximum.WRITTEN : Maximum.IMPLIED);
  }

  private static Kind kind(ByteReader in, int rank) {
    int number = in.u8();
    if (number > 2) {
      throw in.fault("dataspace type", "0 scalar, 1 simple or 2 null", number);
    }
    Kind kind = Kind.values()[number];
    if (kind == Kind.SCALAR && rank != 0 || kind == Kind.SIMPLE && rank == 0) {
      throw in.fault("rank of a " + kind + " dataspace", rank == 0 ? "at least 1" : "0", rank);
    }
    return kind;
  }

  private static long[] maximum(ByteReader in, Widths widths, long[] extent) {
    long ones = widths.length() == 8 ? -1 : (1L << (8 * widths.length())) - 1;
    long[] maximum = new long[extent.length];
    for (int i = 0; i < extent.length; i++) {
      long value = in.uint(widths.length());
      maximum[i] = value == ones ? Shape.UNLIMITED : value;
      if (maximum[i] != Shape.UNLIMITED && maximum[i] < extent[i]) {
        throw in.fault("maximum of dimension " + i, "at least " + extent[i], maximum[i]);
      }
    }
    return maximum;
  }

  private static Shape checked(ByteReader in, Shape shape) {
    try {
      long unused = shape.elements();
    } catch (ArithmeticException e) {
      throw in.fault("number of elements", "at most 2^63-1", shape);
    }
    return shape;
  }

  /** Returns the number of elements. */
  public long elements() {
    return kind == Kind.NULL ? 0 : shape.elements();
  }

  @Override
  public int type() {
    return TYPE;
  }

  @Override
  public void encode(ByteWriter out, Widths widths) {
    int flags = flags();
    out.u8(2).u8(shape.rank()).u8(flags).u8(kind.ordinal());
    encodeExtents(out, widths, flags);
  }

  @Override
  public void encodeEarliest(ByteWriter out, Widths widths) {
    if (kind == Kind.NULL) {
      // Version 1 cannot represent a null dataspace.
      encode(out, widths);
      return;
    }
    int flags = flags();
    out.u8(1).u8(shape.rank()).u8(flags).zeros(5);
    encodeExtents(out, widths, flags);
  }

  private int flags() {
    boolean whole = maximum == Maximum.WRITTEN || shape.isExtendible();
    return shape.rank() > 0 && whole ? 1 : 0;
  }

  private void encodeExtents(ByteWriter out, Widths widths, int flags) {
    for (int i = 0; i < shape.rank(); i++) {
      widths.writeLength(out, shape.extent(i));
    }
    for (int i = 0; flags == 1 && i < shape.rank(); i++) {
      widths.writeLength(out, shape.maximum(i));
    }
  }
}
