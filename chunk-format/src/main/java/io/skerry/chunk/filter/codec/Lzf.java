package io.skerry.chunk.filter.codec;

import io.skerry.chunk.bytes.HeapBytes;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Compresses and decompresses LZF blocks, in the format of LibLZF.
 *
 * <pre>
 * 000lllll               l + 1 literal bytes follow
 * lllddddd [n] dddddddd  copies l + 2 bytes from d + 1 bytes back; if l = 7, adds n to l
 * </pre>
 *
 * A copy is 3 to 264 bytes long; its source is at most 8192 bytes back.
 */
public record Lzf() implements BlockCodec {
  private static final VarHandle U32 =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int HASH_BITS = 14;
  private static final int MAX_DISTANCE = 8192;
  private static final int MAX_COPY = 264;
  private static final int MAX_LITERALS = 32;

  @Override
  public String name() {
    return "lzf";
  }

  @Override
  public int worst(int bytes) {
    return Math.toIntExact(bytes + (bytes + MAX_LITERALS - 1L) / MAX_LITERALS);
  }

  @Override
  public long most(long bytes) {
    return bytes * (MAX_COPY / 3);
  }

  @Override
  public int compress(MemorySegment in, MemorySegment out) {
    byte[] source = HeapBytes.arrayOf(in);
    byte[] target = new byte[worst(source.length)];
    int[] places = new int[1 << HASH_BITS];
    int to = 0;
    int at = 0;
    int literal = 0;
    // The loop reads four bytes at a time, although only three must match.
    while (at + 4 <= source.length) {
      int three = (int) U32.get(source, at) & 0xffffff;
      int slot = three * 0x9E3779B1 >>> (32 - HASH_BITS);
      int before = places[slot] - 1;
      places[slot] = at + 1;
      if (before < 0
          || at - before > MAX_DISTANCE
          || ((int) U32.get(source, before) & 0xffffff) != three) {
        at++;
        continue;
      }
      to = literals(source, literal, at, target, to);
      int count = match(source, before, at);
      to = copy(target, to, at - before - 1, count - 2);
      at += count;
      literal = at;
    }
    to = literals(source, literal, source.length, target, to);
    MemorySegment.copy(MemorySegment.ofArray(target), 0, out, 0, to);
    return to;
  }

  private static int match(byte[] source, int before, int at) {
    int most = Math.min(MAX_COPY, source.length - at);
    int count = 3;
    while (count < most && source[before + count] == source[at + count]) {
      count++;
    }
    return count;
  }

  private static int copy(byte[] target, int start, int distance, int length) {
    int to = start;
    target[to++] = (byte) (Math.min(length, 7) << 5 | distance >>> 8);
    if (length >= 7) {
      target[to++] = (byte) (length - 7);
    }
    target[to++] = (byte) distance;
    return to;
  }

  private static int literals(byte[] source, int from, int end, byte[] target, int start) {
    int to = start;
    for (int at = from; at < end; at += MAX_LITERALS) {
      int count = Math.min(MAX_LITERALS, end - at);
      target[to++] = (byte) (count - 1);
      System.arraycopy(source, at, target, to, count);
      to += count;
    }
    return to;
  }

  @Override
  public int decompress(MemorySegment in, MemorySegment out) {
    byte[] source = HeapBytes.arrayOf(in);
    byte[] target = new byte[(int) out.byteSize()];
    int from = 0;
    int to = 0;
    while (from < source.length) {
      int control = source[from++] & 0xff;
      if (control < MAX_LITERALS) {
        int count = control + 1;
        if (count > source.length - from) {
          throw damaged("literals beyond the end");
        }
        room(target, to, count);
        System.arraycopy(source, from, target, to, count);
        from += count;
        to += count;
        continue;
      }
      int count = (control >>> 5) + 2;
      if (control >>> 5 == 7) {
        count += at(source, from++);
      }
      int distance = ((control & 31) << 8 | at(source, from++)) + 1;
      room(target, to, count);
      if (distance > to) {
        throw damaged("a copy from before the block");
      }
      LzCopy.copy(target, to, distance, count);
      to += count;
    }
    MemorySegment.copy(MemorySegment.ofArray(target), 0, out, 0, to);
    return to;
  }

  private void room(byte[] target, int to, int count) {
    if (count > target.length - to) {
      throw damaged("more than " + target.length + " bytes");
    }
  }

  private int at(byte[] source, int index) {
    if (index >= source.length) {
      throw damaged("the end within a copy");
    }
    return source[index] & 0xff;
  }
}
