package io.skerry.chunk.dataspace.encoding;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;
import java.util.Optional;

/**
 * Encodes and decodes the extent at the start of an encoded dataspace.
 *
 * <pre>
 *   0  1  message type 1 (dataspace)
 *   1  1  encoding version 0
 *   2  1  bytes per length, 2, 4 or 8 (written: 8)
 *   3  4  bytes of the dataspace message
 *   7  .  dataspace message: version 1: 01 rank flags 00 00000000; version 2: 02 rank flags kind;
 *         then rank sizes, and rank maximum sizes if flag bit 0 is set (ignored when read:
 *         they limit the growth of the dataset and not the selection)
 * </pre>
 *
 * <p>Sources: HDF5 File Format Specification 3.0, dataspace message; The HDF Group's RFC on the
 * file format of structured chunks, version 28 (2025-10-09).
 */
final class ExtentCodec {
  private static final int SCALAR = 0;
  private static final int SIMPLE = 1;
  private static final int NULL = 2;

  private ExtentCodec() {}

  static void encode(Shape extent, ByteWriter out) {
    int rank = extent.rank();
    out.u8(1).u8(0).u8(8).u32(8 + 16L * rank);
    out.u8(1).u8(rank).u8(rank == 0 ? 0 : 1).zeros(5);
    for (int copy = 0; copy < 2; copy++) {
      for (int d = 0; d < rank; d++) {
        out.u64(copy == 0 ? extent.extent(d) : extent.maximum(d));
      }
    }
  }

  /**
   * Decodes an extent.
   *
   * @return the extent; empty for a null dataspace
   */
  static Optional<Shape> decode(ByteReader in) {
    in.expect("message type", 1, in.u8());
    in.expect("encoding version", 0, in.u8());
    int lengthSize = in.u8();
    if (lengthSize != 2 && lengthSize != 4 && lengthSize != 8) {
      throw in.fault("bytes per length", "2, 4 or 8", lengthSize);
    }
    long bytes = in.u32();
    return message(in.sub(bytes, in.structure() + ": dataspace message"), lengthSize);
  }

  private static Optional<Shape> message(ByteReader in, int lengthSize) {
    int version = in.u8();
    int rank = in.u8();
    int flags = in.u8();
    int kind;
    switch (version) {
      case 1 -> {
        kind = rank == 0 ? SCALAR : SIMPLE;
        in.skip(5);
      }
      case 2 -> kind = in.u8();
      default -> throw in.fault("dataspace version", "1 or 2", version);
    }
    if (rank > Shape.MAX_RANK || kind > NULL || (kind == SIMPLE) != (rank > 0)) {
      throw in.fault(
          "dataspace", "rank 0..32 that fits the kind", "rank " + rank + " kind " + kind);
    }
    if ((flags & ~1) != 0) {
      throw new UnsupportedFeatureException("dataspace flags " + flags, in.structure());
    }
    if (kind == NULL) {
      return Optional.empty();
    }
    long[] extent = new long[rank];
    for (int d = 0; d < rank; d++) {
      extent[d] = in.uint(lengthSize);
      if (extent[d] < 0) {
        throw in.fault("extent of dimension " + d, "at most 2^63-1", extent[d]);
      }
    }
    in.skip((flags & 1) == 0 ? 0 : (long) rank * lengthSize);
    return Optional.of(Shape.of(extent));
  }
}
