package io.skerry.chunk.filter.codec;

import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * Compresses and decompresses blocks as zlib streams (RFC 1950).
 *
 * @param level compression level, 0 to 9
 */
public record ZlibCodec(int level) implements BlockCodec {
  @Override
  public String name() {
    return "zlib";
  }

  @Override
  public int worst(int bytes) {
    return Math.toIntExact(bytes + bytes / 1024L + 64);
  }

  @Override
  public long most(long bytes) {
    return bytes * 1032;
  }

  @Override
  public int compress(MemorySegment in, MemorySegment out) {
    Deflater deflater = new Deflater(level);
    try {
      deflater.setInput(HeapBytes.arrayOf(in));
      deflater.finish();
      return deflater.deflate(out.asByteBuffer());
    } finally {
      deflater.end();
    }
  }

  @Override
  public int decompress(MemorySegment in, MemorySegment out) {
    Inflater inflater = new Inflater();
    try {
      inflater.setInput(HeapBytes.arrayOf(in));
      int written = inflater.inflate(out.asByteBuffer());
      if (!inflater.finished() && inflater.inflate(new byte[1]) > 0) {
        throw damaged("more than " + out.byteSize() + " bytes");
      }
      if (!inflater.finished()) {
        throw damaged("no end of the stream");
      }
      return written;
    } catch (DataFormatException e) {
      throw damaged(String.valueOf(e.getMessage()));
    } finally {
      inflater.end();
    }
  }
}
