package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Widths;

/**
 * Decodes versions 1 and 2 of the data layout message, which HDF5 wrote before 1.6.3. Such layouts
 * are written as version 3.
 *
 * <pre>
 * 01 or 02 | D u8 | class u8: 0 compact, 1 contiguous, 2 chunked | 5 unused
 * | address O, unless compact | dimensions D x u32 | if compact, size u32 | data
 * </pre>
 *
 * <p>The last dimension is the size of an element in bytes, so D is rank + 1. The other dimensions
 * are the extent of a compact or contiguous dataset, or the shape of a chunk. Source: HDF5 File
 * Format Specification 3.0, section IV.A.2.i, "The Data Layout Message".
 */
final class EarlyLayout {
  private EarlyLayout() {}

  /** Decodes the fields after the version. */
  static LayoutMessage decode(ByteReader in, Widths widths) {
    int count = in.u8();
    int layoutClass = in.u8();
    in.skip(5);
    return switch (layoutClass) {
      case 0 -> {
        dimensions(in, count);
        yield new CompactLayout(Bytes.of(in.slice(in.u32())));
      }
      case 1 -> {
        long address = widths.readAddress(in, "data address");
        yield new ContiguousLayout(address, product(in, dimensions(in, count)));
      }
      case 2 -> {
        ChunkedLayoutCodec.checkCount(in, count);
        long address = widths.readAddress(in, "B-tree address");
        yield ChunkedLayoutCodec.versionOneTree(in, address, dimensions(in, count));
      }
      default -> throw in.fault("data layout class of version 1 or 2", "0 to 2", layoutClass);
    };
  }

  private static long[] dimensions(ByteReader in, int count) {
    long[] dimensions = new long[count];
    for (int i = 0; i < count; i++) {
      dimensions[i] = in.u32();
    }
    return dimensions;
  }

  private static long product(ByteReader in, long[] dimensions) throws FormatException {
    long product = 1;
    for (long size : dimensions) {
      if (size != 0 && product > Long.MAX_VALUE / size) {
        throw in.fault("bytes of a contiguous dataset", "below 2^63", "more");
      }
      product *= size;
    }
    return product;
  }
}
