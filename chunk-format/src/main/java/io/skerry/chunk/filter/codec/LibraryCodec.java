package io.skerry.chunk.filter.codec;

import io.airlift.compress.v3.Compressor;
import io.airlift.compress.v3.Decompressor;
import io.airlift.compress.v3.MalformedInputException;
import io.airlift.compress.v3.lz4.Lz4Compressor;
import io.airlift.compress.v3.lz4.Lz4Decompressor;
import io.airlift.compress.v3.snappy.SnappyCompressor;
import io.airlift.compress.v3.snappy.SnappyDecompressor;
import io.airlift.compress.v3.zstd.ZstdCompressor;
import io.airlift.compress.v3.zstd.ZstdDecompressor;
import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Compresses and decompresses blocks with LZ4, Zstandard or Snappy, using the aircompressor
 * library.
 */
public final class LibraryCodec implements BlockCodec {
  private final String name;
  private final int ratio;
  private final Supplier<Compressor> maker;
  private final Decompressor decompressor;

  /** The compressor, created on first use because it allocates tables; empty until then. */
  private Optional<Compressor> compressor = Optional.empty();

  private LibraryCodec(
      String name, int ratio, Supplier<Compressor> maker, Decompressor decompressor) {
    this.name = name;
    this.ratio = ratio;
    this.maker = maker;
    this.decompressor = decompressor;
  }

  /** Returns a codec for LZ4 blocks, in which each byte decodes to at most 255 bytes. */
  public static LibraryCodec lz4() {
    return new LibraryCodec("lz4", 255, Lz4Compressor::create, Lz4Decompressor.create());
  }

  /**
   * Returns a codec for Zstandard frames (RFC 8878), in which four bytes decode to at most 128 KiB.
   *
   * @param level compression level, 1 to 22
   */
  public static LibraryCodec zstd(int level) {
    return new LibraryCodec(
        "zstd", 1 << 15, () -> ZstdCompressor.create(level), ZstdDecompressor.create());
  }

  /** Returns a codec for Snappy blocks, in which three bytes decode to at most 64 bytes. */
  public static LibraryCodec snappy() {
    return new LibraryCodec("snappy", 32, SnappyCompressor::create, SnappyDecompressor.create());
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int worst(int bytes) {
    return compressor().maxCompressedLength(bytes);
  }

  @Override
  public long most(long bytes) {
    return bytes * ratio;
  }

  @Override
  public int compress(MemorySegment in, MemorySegment out) {
    return compressor().compress(readable(in), out);
  }

  /**
   * Returns the same bytes in memory that the library can read: native memory or a writable byte
   * array. The library accesses native memory without checks, so this method checks whether the
   * current thread may access it.
   */
  private static MemorySegment readable(MemorySegment in) {
    if (!in.isNative()) {
      return in.heapBase().orElse(in) instanceof byte[] ? in : HeapBytes.copyOf(in);
    }
    if (in.byteSize() > 0) {
      byte unused = in.get(ValueLayout.JAVA_BYTE, 0);
    }
    return in;
  }

  private Compressor compressor() {
    if (compressor.isEmpty()) {
      compressor = Optional.of(maker.get());
    }
    return compressor.get();
  }

  @Override
  public int decompress(MemorySegment in, MemorySegment out) {
    MemorySegment stored = readable(in);
    try {
      int written = decompressor.decompress(stored, out);
      if (written < 0 || written > out.byteSize()) {
        throw damaged("decoded bytes " + written);
      }
      return written;
    } catch (MalformedInputException | IllegalArgumentException | IndexOutOfBoundsException e) {
      throw damaged(String.valueOf(e.getMessage()));
    }
  }
}
