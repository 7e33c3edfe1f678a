package io.skerry.format.layout;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.format.block.Widths;
import io.skerry.format.message.Message;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * The data layout message (0x0008): the storage of the elements of a dataset. Reads versions 1 to
 * 5.
 *
 * <pre>
 * 03, 04 or 05 | class u8: 0 compact, 1 contiguous, 2 chunked, 3 virtual, 4 structured (5 only)
 * | properties of the class
 * </pre>
 *
 * <p>{@link EarlyLayout} describes versions 1 and 2, which are written back as version 3. Source:
 * HDF5 File Format Specification 3.0, section IV.A.2.i, "The Data Layout Message".
 */
public sealed interface LayoutMessage extends Message
    permits ChunkedLayout, CompactLayout, ContiguousLayout, VirtualLayoutMessage {
  /** Message type. */
  int TYPE = 0x0008;

  /** Decodes the body. */
  static LayoutMessage decode(ByteReader in, Widths widths) {
    int version = in.u8();
    if (version == 1 || version == 2) {
      return EarlyLayout.decode(in, widths);
    }
    if (version < 3 || version > 5) {
      throw in.fault("data layout version", "1 to 5", version);
    }
    int layoutClass = in.u8();
    return switch (layoutClass) {
      case 0 -> CompactLayout.decode(in);
      case 1 -> ContiguousLayout.decode(in, widths);
      case 2 -> ChunkedLayoutCodec.decodeDense(in, version, widths);
      case 3 -> {
        if (version == 3) {
          throw in.fault("data layout class of version 3", "0 to 2", 3);
        }
        yield VirtualLayoutMessage.decode(in, widths);
      }
      case 4 -> {
        if (version != 5) {
          throw in.fault("data layout version of class 4", 5, version);
        }
        yield ChunkedLayoutCodec.decodeStructured(in, widths);
      }
      default -> throw in.fault("data layout class", "0 to 4", layoutClass);
    };
  }

  /**
   * Returns whether a body is of version 1 or 2. In these versions, the size of a contiguous
   * dataset is computed from 32-bit dimensions, so the size is wrong if a dimension does not fit
   * into 32 bits.
   */
  static boolean isEarly(MemorySegment body) {
    int version = body.byteSize() == 0 ? 0 : body.get(ValueLayout.JAVA_BYTE, 0);
    return version == 1 || version == 2;
  }

  @Override
  default int type() {
    return TYPE;
  }
}
