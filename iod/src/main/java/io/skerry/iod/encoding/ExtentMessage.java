package io.skerry.iod.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;
import java.util.Optional;

/**
 * Encodes and decodes the extent of an encoded dataspace. Unlike the extent of a chunk, it includes
 * the maximum extent.
 *
 * <pre>
 *  0    1    2    3      7
 * +----+----+----+------+-------------------+
 * | 01 | 00 | L  | size | dataspace message |
 * |    |    |    | u32  |                   |
 * +----+----+----+------+-------------------+
 *
 * message   v1  01 | rank | flags | 00 x 5   | sizes, L each | maximum sizes, L each if flag 0
 *           v2  02 | rank | flags | kind     | as above
 * kind      0 scalar, 1 simple, 2 null; unlimited: all bits set
 * written   L = 8, v1 with maximum sizes; null: 02 00 00 02
 * </pre>
 *
 * <p>Sources: HDF5 File Format Specification 3.0, dataspace message; dataspaces encoded by HDF5
 * 1.10.8, 1.14.3 and 2.0.0.
 */
final class ExtentMessage {
  private static final int SCALAR = 0;
  private static final int SIMPLE = 1;
  private static final int NULL = 2;
  private static final int LENGTH_SIZE = 8;

  private ExtentMessage() {}

  static void encode(Optional<Shape> extent, ByteWriter out) {
    out.u8(1).u8(0).u8(LENGTH_SIZE);
    if (extent.isEmpty()) {
      out.u32(4).u8(2).u8(0).u8(0).u8(NULL);
      return;
    }
    Shape shape = extent.get();
    int rank = shape.rank();
    out.u32(8 + 2L * LENGTH_SIZE * rank).u8(1).u8(rank).u8(rank == 0 ? 0 : 1).zeros(5);
    for (int d = 0; d < rank; d++) {
      out.u64(shape.extent(d));
    }
    for (int d = 0; d < rank; d++) {
      out.u64(shape.maximum(d) == Shape.UNLIMITED ? -1 : shape.maximum(d));
    }
  }

  /**
   * Decodes an extent and positions the reader after it.
   *
   * @return the extent; empty for a null dataspace
   */
  static Optional<Shape> decode(ByteReader in) {
    in.expect("message type", 1, in.u8());
    in.expect("encoding version", 0, in.u8());
    int width = in.u8();
    if (width != 2 && width != 4 && width != 8) {
      throw in.fault("bytes per length", "2, 4 or 8", width);
    }
    ByteReader body = in.sub(in.u32(), in.structure() + ": dataspace message");
    Optional<Shape> extent = message(body, width);
    body.expect("bytes after the dataspace message", 0, body.remaining());
    return extent;
  }

  private static Optional<Shape> message(ByteReader in, int width) {
    int version = in.u8();
    int rank = in.u8();
    int flags = in.u8();
    int kind =
        switch (version) {
          case 1 -> {
            in.skip(5);
            yield rank == 0 ? SCALAR : SIMPLE;
          }
          case 2 -> in.u8();
          default -> throw in.fault("dataspace version", "1 or 2", version);
        };
    if (rank > Shape.MAX_RANK || kind > NULL || (kind == SIMPLE) != (rank > 0)) {
      throw in.fault(
          "dataspace", "rank 0..32 that fits the kind", "rank " + rank + " kind " + kind);
    }
    if (flags > 1) {
      throw new UnsupportedFeatureException("dataspace flags " + flags, in.structure());
    }
    if (kind == NULL) {
      return Optional.empty();
    }
    long[] extent = new long[rank];
    for (int d = 0; d < rank; d++) {
      extent[d] = in.uint(width);
      if (extent[d] < 0) {
        throw in.fault(
            "extent of dimension " + d, "at most 2^63-1", Long.toUnsignedString(extent[d]));
      }
    }
    return Optional.of(
        checked(Shape.of(extent, flags == 1 ? maximum(in, width, extent) : extent), in));
  }

  private static long[] maximum(ByteReader in, int width, long[] extent) {
    long ones = width == 8 ? -1 : (1L << 8 * width) - 1;
    long[] maximum = new long[extent.length];
    for (int d = 0; d < extent.length; d++) {
      long value = in.uint(width);
      maximum[d] = value == ones ? Shape.UNLIMITED : value;
      if (value != ones && value < extent[d]) {
        throw in.fault("maximum of dimension " + d, "at least " + extent[d], value);
      }
    }
    return maximum;
  }

  private static Shape checked(Shape shape, ByteReader in) {
    try {
      long unused = shape.elements();
    } catch (ArithmeticException e) {
      throw in.fault("elements of the extent", "at most 2^63-1", shape);
    }
    return shape;
  }
}
