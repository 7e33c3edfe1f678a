package io.skerry.chunk.filter.bits;

import io.skerry.chunk.bytes.HeapBytes;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Writes bits to a growing byte array, starting with the highest bit of each byte. */
public final class BitOutput {
  private static final VarHandle U64 =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private byte[] bytes;

  /** Number of bytes stored in the array, not counting the bits in the accumulator. */
  private int length;

  private long accumulator;
  private int free = Long.SIZE;

  /**
   * Creates an empty buffer.
   *
   * @param capacity expected number of bytes; more may be written
   */
  public BitOutput(int capacity) {
    bytes = new byte[Math.max(16, capacity + 8)];
  }

  /**
   * Appends the lowest bits of a number.
   *
   * @param value the number
   * @param count number of bits, 0 to 64
   */
  public void put(long value, int count) {
    if (count == 0) {
      return;
    }
    long clean = value & -1L >>> (64 - count);
    if (count < free) {
      free -= count;
      accumulator |= clean << free;
      return;
    }
    int over = count - free;
    store(accumulator | clean >>> over);
    free = Long.SIZE - over;
    accumulator = over == 0 ? 0 : clean << free;
  }

  /**
   * Appends zero bits, then a single 1 bit.
   *
   * @param zeros number of zero bits
   */
  public void putZeros(long zeros) {
    for (long left = zeros; left > 0; left -= 32) {
      put(0, (int) Math.min(left, 32));
    }
    put(1, 1);
  }

  /** Returns the number of bits written. */
  public long size() {
    return 8L * length + Long.SIZE - free;
  }

  /**
   * Returns the output as bytes, truncated or extended to the given length. Unwritten bits of the
   * last byte, and all bytes after it, are zero.
   *
   * @param count number of bytes to return
   */
  public byte[] toArray(int count) {
    byte[] result = Arrays.copyOf(bytes, count);
    long rest = accumulator;
    for (int i = length; i < Math.min(count, length + 8); i++) {
      result[i] = (byte) (rest >>> 56);
      rest <<= 8;
    }
    Arrays.fill(result, Math.min(count, length + 8), count, (byte) 0);
    return result;
  }

  private void store(long eight) {
    if (length + 8 > bytes.length) {
      bytes = Arrays.copyOf(bytes, (int) Math.min(HeapBytes.MAX_ARRAY, bytes.length * 2L));
    }
    U64.set(bytes, length, eight);
    length += 8;
  }
}
