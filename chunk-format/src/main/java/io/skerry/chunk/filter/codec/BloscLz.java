package io.skerry.chunk.filter.codec;

import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;

/**
 * BloscLZ, the compressor that Blosc introduced. Only decompression is implemented.
 *
 * <pre>
 * 000lllll                        l + 1 literal bytes follow; the first byte always has this form
 * lllddddd [255 ..] [n] dddddddd  copies l + 2 bytes from d + 1 bytes back; if l = 7, the bytes
 *                                 that follow are added to l, through the first byte below 255
 * ... d = 8191, nnnnnnnn nnnnnnnn copies from 8192 + n bytes back
 * </pre>
 *
 * Source: the decoder of Blosc 1.
 */
public record BloscLz() implements BlockCodec {
  private static final int NEAR = 8191;

  @Override
  public String name() {
    return "blosclz";
  }

  @Override
  public int worst(int bytes) {
    throw new UnsupportedOperationException("blosclz is only read");
  }

  @Override
  public long most(long bytes) {
    return bytes * 255;
  }

  @Override
  public int compress(MemorySegment in, MemorySegment out) {
    throw new UnsupportedOperationException("blosclz is only read");
  }

  @Override
  public int decompress(MemorySegment in, MemorySegment out) {
    byte[] source = HeapBytes.arrayOf(in);
    byte[] target = new byte[(int) out.byteSize()];
    int length = decompress(source, target);
    MemorySegment.copy(MemorySegment.ofArray(target), 0, out, 0, length);
    return length;
  }

  private int decompress(byte[] source, byte[] target) {
    int from = 0;
    int to = 0;
    while (from < source.length) {
      int control = source[from] & (from == 0 ? 31 : 255);
      from++;
      if (control < 32) {
        int count = control + 1;
        if (count > source.length - from || count > target.length - to) {
          throw damaged("literals beyond the end");
        }
        System.arraycopy(source, from, target, to, count);
        from += count;
        to += count;
        continue;
      }
      long count = (control >>> 5) + 2L;
      if (control >>> 5 == 7) {
        int more;
        do {
          more = at(source, from++);
          count += more;
        } while (more == 255);
      }
      int distance = (control & 31) << 8 | at(source, from++);
      if (distance == NEAR) {
        distance += at(source, from) << 8 | at(source, from + 1);
        from += 2;
      }
      distance++;
      if (distance > to || count > target.length - to) {
        throw damaged("a copy outside the block");
      }
      LzCopy.copy(target, to, distance, (int) count);
      to += (int) count;
    }
    return to;
  }

  private int at(byte[] source, int index) {
    if (index >= source.length) {
      throw damaged("the end within a copy");
    }
    return source[index] & 0xff;
  }
}
