package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.chunk.filter.codec.Lzf;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Filter 32000: an LZF block ({@link Lzf}) without a container. Client data: 4 (revision of the
 * filter), 0x0105 (version of LZF), and the size of a chunk in bytes, or 0 for a section.
 */
public final class LzfFilter implements Filter {
  private static final int REVISION = 4;
  private static final int VERSION = 0x0105;

  @Override
  public int id() {
    return Filters.LZF;
  }

  @Override
  public String name() {
    return "lzf";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    if (spec.clientData().length > 0) {
      return Optional.of(spec);
    }
    long bytes =
        switch (target) {
          case FilterTarget.Chunk chunk -> chunk.elements() * chunk.elementSize();
          case FilterTarget.Section _ -> 0;
        };
    return Optional.of(spec.withClientData(REVISION, VERSION, (int) bytes));
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    return CompressedOutput.fitsArray(in)
        ? CompressedOutput.unlessGrown(in, CompressedOutput.block(new Lzf(), in), growth)
        : Optional.empty();
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    // Each sequence of up to 32 literals takes one additional byte.
    return bytes + bytes / 32 + 1024;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    Lzf codec = new Lzf();
    return WholeBlock.decode(
        codec, in, codec.most(in.byteSize()), DecodeLimit.of(name(), in, limit));
  }
}
