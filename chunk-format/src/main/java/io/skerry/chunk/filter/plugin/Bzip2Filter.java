package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.filter.bits.DecodeLimit;
import io.skerry.exception.FormatException;
import io.skerry.filter.Filter;
import io.skerry.filter.FilterSpec;
import io.skerry.filter.Filters;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Filter 307: a bzip2 stream without a container. The first client data value is the block size in
 * units of 100,000 bytes, 1 to 9, by default 9.
 */
public final class Bzip2Filter implements Filter {
  private static final int DEFAULT_LEVEL = 9;

  @Override
  public int id() {
    return Filters.BZIP2;
  }

  @Override
  public String name() {
    return "bzip2";
  }

  @Override
  public Optional<MemorySegment> encode(MemorySegment in, FilterSpec spec, Growth growth) {
    if (!CompressedOutput.fitsArray(in)) {
      return Optional.empty();
    }
    int[] data = spec.clientData();
    int level = data.length == 0 ? DEFAULT_LEVEL : data[0];
    if (level < 1 || level > 9) {
      throw new FormatException("bzip2 level", "1..9", level);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (var out = new BZip2CompressorOutputStream(bytes, level)) {
      out.write(HeapBytes.arrayOf(in));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return CompressedOutput.unlessGrown(in, MemorySegment.ofArray(bytes.toByteArray()), growth);
  }

  @Override
  public long maxEncoded(long bytes, FilterSpec spec) {
    // According to the bzip2 manual, the output exceeds the input by at most 1% plus 600 bytes.
    return bytes + bytes / 32 + 1024;
  }

  @Override
  public MemorySegment decode(MemorySegment in, FilterSpec spec, long limit) {
    return decode(in, DecodeLimit.of(name(), in, limit));
  }

  static MemorySegment decode(MemorySegment in, DecodeLimit limit) {
    int most = limit.most();
    byte[] stored = HeapBytes.arrayOf(in);
    try (var stream = new BZip2CompressorInputStream(new ByteArrayInputStream(stored))) {
      byte[] out = stream.readNBytes(most);
      if (out.length == most && stream.read() >= 0) {
        throw limit.exceeded("bzip2: decoded bytes");
      }
      return MemorySegment.ofArray(out);
    } catch (IOException | IndexOutOfBoundsException | IllegalStateException e) {
      throw new FormatException("bzip2 stream", "valid data", String.valueOf(e.getMessage()));
    }
  }
}
