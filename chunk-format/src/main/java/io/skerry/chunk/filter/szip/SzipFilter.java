package io.skerry.chunk.filter.szip;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.BitInput;
import io.skerry.chunk.filter.bits.BitOutput;
import io.skerry.chunk.filter.bits.ByteTransposition;
import io.skerry.chunk.filter.bits.DecodedBytes;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.FilterTarget;
import io.skerry.filter.Filters;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Optional;

/**
 * Filter 4: compresses data with extended Rice coding. {@link SzipParameters} describes the client
 * data, {@link RiceCode} the code.
 *
 * <pre>
 * 0                 4
 * +-----------------+-------------------------------------------+
 * | decoded size    | scan lines, padded with 0 bits to a byte  |
 * | in bytes, u32   |                                           |
 * +-----------------+-------------------------------------------+
 * </pre>
 *
 * Each scan line is padded to whole blocks, and an incomplete last scan line to the length of the
 * others. The padding repeats the last sample of the line if differences are coded; otherwise, it
 * consists of zeros.
 */
public final class SzipFilter implements Filter {
  private static final int HEADER = 4;

  /**
   * Upper bound on the number of samples per stored bit: a segment of zeros, with 64 blocks of 32
   * samples, takes at least 9 bits.
   */
  private static final long MAX_RATIO = 256;

  @Override
  public int id() {
    return Filters.SZIP;
  }

  @Override
  public String name() {
    return "szip";
  }

  @Override
  public Optional<FilterSpec> bind(FilterSpec spec, FilterTarget target) {
    int[] data = spec.clientData();
    if (data.length != 2) {
      return Optional.of(spec);
    }
    return switch (target) {
      case FilterTarget.Chunk chunk ->
          SzipParameters.bind(data[0], data[1], chunk).map(spec::withClientData);
      case FilterTarget.Section _ ->
          Optional.of(spec.withClientData(SzipParameters.bindBytes(data[0], data[1])));
    };
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (spec.clientData().length != SzipParameters.COUNT) {
      throw new IllegalArgumentException(
          "szip without client data; bind it to a dataset first: filter=" + spec);
    }
    SzipParameters p = SzipParameters.of(spec.clientData());
    long length = in.byteSize();
    if (length > HeapBytes.MAX_ARRAY / 2 || length % ((long) p.planes() * p.sampleBytes()) != 0) {
      return Optional.empty();
    }
    byte[] samples = HeapBytes.arrayOf(in);
    if (p.isByPlanes()) {
      byte[] planes = new byte[samples.length];
      ByteTransposition.toPlanes(samples, planes, samples.length / p.planes(), p.planes());
      samples = planes;
    }
    BitOutput out = new BitOutput(samples.length);
    out.put(Integer.reverseBytes((int) length), 32);
    RiceEncoder encoder = new RiceEncoder(p, out);
    int total = samples.length / p.sampleBytes();
    int[] line = new int[p.block() * p.blocks()];
    for (int at = 0; at < total; at += p.line()) {
      int count = Math.min(p.line(), total - at);
      for (int i = 0; i < count; i++) {
        line[i] = get(p, samples, (at + i) * p.sampleBytes());
      }
      Arrays.fill(line, count, line.length, p.isDifferential() ? line[count - 1] : 0);
      encoder.add(line);
      if (growth == Growth.SKIPPED && out.size() / 8 >= length) {
        return Optional.empty();
      }
    }
    return Optional.of(MemorySegment.ofArray(out.toArray((int) ((out.size() + 7) / 8))));
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    SzipParameters p = SzipParameters.of(spec.clientData());
    long lines = bytes / p.sampleBytes() / p.line() + 1;
    return HEADER + lines * p.maxLineBytes();
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    SzipParameters p = SzipParameters.of(spec.clientData());
    long length = ByteReader.of(in, "szip header").u32();
    long plausible = (in.byteSize() - HEADER) * 8 * MAX_RATIO * p.sampleBytes();
    if (length > Math.min(limit, plausible)) {
      throw new FormatException(
          "szip: decoded bytes", "at most " + Math.min(limit, plausible), length);
    }
    if (length % ((long) p.planes() * p.sampleBytes()) != 0) {
      throw new FormatException(
          "szip: decoded bytes", "whole pixels of " + p.bits() + " bits", length);
    }
    if (in.byteSize() > HeapBytes.MAX_ARRAY) {
      throw new UnsupportedFeatureException("szip of 2 GiB or more", "reading a chunk");
    }
    DecodedBytes out = DecodedBytes.of("szip", length, in.byteSize(), limit);
    BitInput bits = new BitInput(HeapBytes.arrayOf(in), HEADER, "szip stream");
    RiceDecoder decoder = new RiceDecoder(p, bits);
    int width = p.sampleBytes();
    byte[] bytes = new byte[p.line() * width];
    for (long at = 0; at < out.total(); at += bytes.length) {
      int count = (int) Math.min(bytes.length, out.total() - at) / width;
      int[] line = decoder.next(count);
      for (int i = 0; i < count; i++) {
        set(p, bytes, i * width, line[i]);
      }
      out.put((int) at, bytes, count * width);
    }
    if (!p.isByPlanes()) {
      return out.whole();
    }
    byte[] samples = HeapBytes.arrayOf(out.whole());
    byte[] elements = new byte[samples.length];
    ByteTransposition.toElements(samples, elements, samples.length / p.planes(), p.planes());
    return MemorySegment.ofArray(elements);
  }

  private static int get(SzipParameters p, byte[] bytes, int at) {
    int value = 0;
    int size = p.sampleBytes();
    for (int i = 0; i < size; i++) {
      int place = p.isBigEndian() ? i : size - 1 - i;
      value = value << 8 | (bytes[at + place] & 0xff);
    }
    return value & (int) (-1L >>> (64 - p.sampleBits()));
  }

  private static void set(SzipParameters p, byte[] bytes, int at, int value) {
    int size = p.sampleBytes();
    if (size == 1) {
      bytes[at] = (byte) value;
      return;
    }
    for (int i = 0; i < size; i++) {
      int place = p.isBigEndian() ? size - 1 - i : i;
      bytes[at + place] = (byte) (value >>> 8 * i);
    }
  }
}
