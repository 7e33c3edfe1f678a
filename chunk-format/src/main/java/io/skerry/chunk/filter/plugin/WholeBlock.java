package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/** Decodes an input that is a single block of a compressor, without a container. */
final class WholeBlock {
  private WholeBlock() {}

  /**
   * Decodes a block.
   *
   * @param bound upper bound on the decoded size, in bytes
   * @throws FormatException if the block is damaged or decodes to more than the caller accepts
   * @throws io.skerry.exception.UnsupportedFeatureException if decoding fails, possibly because the
   *     content does not fit in an array
   */
  static MemorySegment decode(BlockCodec codec, MemorySegment in, long bound, DecodeLimit limit) {
    long room = Math.min(bound, limit.most());
    MemorySegment out = HeapBytes.allocate(room);
    try {
      return out.asSlice(0, codec.decompress(in, out));
    } catch (FormatException e) {
      if (bound > room && limit.isOfArray()) {
        // A codec does not distinguish damaged input from a lack of output space.
        throw limit.unsupported();
      }
      throw e;
    }
  }
}
