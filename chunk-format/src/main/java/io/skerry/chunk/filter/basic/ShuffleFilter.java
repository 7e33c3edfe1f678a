package io.skerry.chunk.filter.basic;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.ByteTransposition;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.Optional;

/**
 * Filter 2: stores the first bytes of all elements, then their second bytes, and so on. The first
 * client data value is the element size. Bytes after the last complete element keep their position.
 *
 * <pre>
 * elements  a0 a1 a2 a3 | b0 b1 b2 b3 | c0 c1 c2 c3 | rest
 * stored    a0 b0 c0 | a1 b1 c1 | a2 b2 c2 | a3 b3 c3 | rest
 * </pre>
 */
public final class ShuffleFilter implements Filter {
  @Override
  public int id() {
    return Filters.SHUFFLE;
  }

  @Override
  public String name() {
    return "shuffle";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    return Optional.of(
        spec.clientData().length > 0 ? spec : spec.withClientData(target.elementSize()));
  }

  /**
   * Returns a hint about the byte planes in the output of a filter: their size if the filter is a
   * shuffle of elements of more than one byte, otherwise {@link Filter.BytePlanes#UNKNOWN}.
   *
   * @param spec the filter that produced the bytes
   * @param made the output of the filter
   */
  public static Filter.BytePlanes planes(FilterSpec spec, MemorySegment made) {
    boolean shuffled = spec.id() == Filters.SHUFFLE && spec.clientData().length > 0;
    return shuffled && spec.clientData()[0] > 1
        ? new Filter.BytePlanes(made.byteSize() / spec.clientData()[0])
        : Filter.BytePlanes.UNKNOWN;
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (spec.clientData().length == 0 || spec.clientData()[0] < 1) {
      throw new IllegalArgumentException(
          "shuffle without an element size; bind it to a dataset first: filter=" + spec);
    }
    int size = spec.clientData()[0];
    if (size == 1 || in.byteSize() < 2L * size) {
      return Optional.of(in);
    }
    if (in.byteSize() > HeapBytes.MAX_ARRAY) {
      return Optional.empty();
    }
    byte[] source = HeapBytes.arrayOf(in);
    byte[] target = new byte[source.length];
    ByteTransposition.toPlanes(source, target, source.length / size, size);
    return Optional.of(MemorySegment.ofArray(target));
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    return bytes;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    return decode(in, spec, limit, (bytes, _) -> HeapBytes.allocate(bytes));
  }

  @Override
  public MemorySegment decode(
      MemorySegment in, FilterSpec spec, long limit, SegmentAllocator memory) {
    if (in.byteSize() > limit) {
      throw new FormatException("shuffled bytes", "at most " + limit, in.byteSize());
    }
    if (spec.clientData().length == 0 || spec.clientData()[0] < 1) {
      throw new FormatException("client data of shuffle", "an element size", spec);
    }
    int size = spec.clientData()[0];
    if (size == 1 || in.byteSize() < 2L * size) {
      return in;
    }
    if (in.byteSize() > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException("shuffle of 2 GiB or more", "reading a chunk");
    }
    if (in.isNative() && Unshuffle.joins(size)) {
      MemorySegment out = memory.allocate(in.byteSize());
      if (out.isNative()) {
        Unshuffle.join(in, out, in.byteSize() / size, size);
        return out;
      }
    }
    byte[] source = HeapBytes.arrayOf(in);
    byte[] target = new byte[source.length];
    ByteTransposition.toElements(source, target, source.length / size, size);
    return MemorySegment.ofArray(target);
  }
}
