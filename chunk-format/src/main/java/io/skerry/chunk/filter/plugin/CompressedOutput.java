package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.codec.BlockCodec;
import io.skerry.filter.Filter;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/** What the encoding halves of these filters share. */
final class CompressedOutput {
  private CompressedOutput() {}

  /** The result, unless it is no smaller and the filter had better be skipped. */
  static Optional<MemorySegment> unlessGrown(
      MemorySegment in, MemorySegment out, Filter.Growth growth) {
    return growth == Filter.Growth.SKIPPED && out.byteSize() >= in.byteSize()
        ? Optional.empty()
        : Optional.of(out);
  }

  /** Whether an array holds the bytes whatever a compressor makes of them. */
  static boolean fitsArray(MemorySegment in) {
    return in.byteSize() <= HeapBytes.MAX_ARRAY / 2;
  }

  /** One compressed block in memory of its own. */
  static MemorySegment block(BlockCodec codec, MemorySegment in) {
    byte[] out = new byte[codec.worst((int) in.byteSize())];
    int length = codec.compress(in, MemorySegment.ofArray(out));
    return MemorySegment.ofArray(Arrays.copyOf(out, length));
  }
}
