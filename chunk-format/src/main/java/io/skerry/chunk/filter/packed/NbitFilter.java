package io.skerry.chunk.filter.packed;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.BitInput;
import io.skerry.chunk.filter.bits.BitOutput;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Filter 5: stores only the significant bits of each number, as defined by its datatype, without
 * gaps and highest bit first. The other bits are decoded as zeros.
 *
 * <pre>
 * client data  count of values | 1 if the filter does nothing | elements | type ({@link NbitType})
 * stored       bits of element 0 | bits of element 1 | ... | 1 to 8 zero bits
 * </pre>
 *
 * Source: the nbit filter of the HDF5 library, whose streams have an extra byte if the last byte is
 * full.
 */
public final class NbitFilter implements Filter {
  @Override
  public int id() {
    return Filters.NBIT;
  }

  @Override
  public String name() {
    return "nbit";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    if (spec.clientData().length > 0) {
      return Optional.of(spec);
    }
    return switch (target) {
      case FilterTarget.Chunk chunk -> NbitBinding.clientData(chunk).map(spec::withClientData);
      case FilterTarget.Section _ -> Optional.empty();
    };
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    int[] data = spec.clientData();
    if (data.length < 3) {
      throw new IllegalArgumentException(
          "nbit without client data; bind it to a dataset first: filter=" + spec);
    }
    if (data[1] != 0) {
      return Optional.of(in);
    }
    NbitType type = new NbitType.Parser(data, 3).parse(0);
    long elements = Integer.toUnsignedLong(data[2]);
    if (elements * type.size() != in.byteSize()) {
      // The client data may come from a file whose chunks have a different size.
      throw new FormatException("bytes for nbit", elements * type.size(), in.byteSize());
    }
    if (in.byteSize() >= HeapBytes.MAX_ARRAY - 16) {
      return Optional.empty();
    }
    byte[] bytes = HeapBytes.arrayOf(in);
    BitOutput out = new BitOutput(bytes.length);
    for (int at = 0; at < bytes.length; at += type.size()) {
      type.pack(bytes, at, out);
    }
    return Optional.of(MemorySegment.ofArray(out.toArray((int) (out.size() / 8) + 1)));
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    return bytes + 1;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    int[] data = spec.clientData();
    if (data.length < 3 || data[0] != data.length) {
      throw new FormatException("nbit: client data", "their count first, 3 or more", spec);
    }
    if (data[1] != 0) {
      if (in.byteSize() > limit) {
        throw new FormatException("nbit: bytes without packing", "at most " + limit, in.byteSize());
      }
      return in;
    }
    NbitType type = new NbitType.Parser(data, 3).parse(0);
    long elements = Integer.toUnsignedLong(data[2]);
    if (elements > limit / type.size()) {
      throw new FormatException(
          "nbit: elements of " + type.size() + " bytes", "at most " + limit + " bytes", elements);
    }
    long length = elements * type.size();
    if (length > HeapBytes.MAX_ARRAY || in.byteSize() > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException("nbit of 2 GiB or more", "reading a chunk");
    }
    byte[] out = new byte[(int) length];
    BitInput bits = new BitInput(HeapBytes.arrayOf(in), 0, "nbit stream");
    for (int at = 0; at < out.length; at += type.size()) {
      type.unpack(bits, out, at);
    }
    return MemorySegment.ofArray(out);
  }
}
