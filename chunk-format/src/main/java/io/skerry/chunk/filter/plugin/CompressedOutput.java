package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.filter.Filter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/** Helper methods for the compressing filters in this package. */
final class CompressedOutput {
  private CompressedOutput() {}

  /**
   * Returns the output; empty if it is not smaller than the input and the filter may be skipped.
   */
  static Optional<MemorySegment> unlessGrown(
      MemorySegment in, MemorySegment out, Filter.Growth growth) {
    return growth == Filter.Growth.SKIPPED && out.byteSize() >= in.byteSize()
        ? Optional.empty()
        : Optional.of(out);
  }

  /** Returns whether the input is so small that the output of any compressor fits in an array. */
  static boolean fitsArray(MemorySegment in) {
    return in.byteSize() <= HeapBytes.MAX_ARRAY / 2;
  }

  /** Compresses the input into a new heap segment of exactly the compressed size. */
  static MemorySegment block(BlockCodec codec, MemorySegment in) {
    byte[] out = new byte[codec.worst((int) in.byteSize())];
    int length = codec.compress(in, MemorySegment.ofArray(out));
    return MemorySegment.ofArray(Arrays.copyOf(out, length));
  }
}
