package io.skerry.internal.value;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/**
 * Combines short runs of bytes into longer runs. {@code close} passes the remaining bytes to the
 * sink.
 */
final class Gathered implements AutoCloseable {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
  private static final int ROOM = 1 << 16;

  private final ByteSink sink;
  private final MemorySegment buffer = MemorySegment.ofArray(new byte[ROOM]);
  private long filled;

  Gathered(ByteSink sink) {
    this.sink = sink;
  }

  void u32(long value) {
    if (filled > ROOM - 4) {
      flush();
    }
    buffer.set(U32, filled, (int) value);
    filled += 4;
  }

  void bytes(MemorySegment bytes) {
    boolean direct = bytes.byteSize() > ROOM / 2;
    // A run that bypasses the buffer must follow the bytes that are already in the buffer.
    if (direct || bytes.byteSize() > ROOM - filled) {
      flush();
    }
    if (direct) {
      sink.accept(bytes);
      return;
    }
    MemorySegment.copy(bytes, 0, buffer, filled, bytes.byteSize());
    filled += bytes.byteSize();
  }

  private void flush() {
    if (filled > 0) {
      sink.accept(buffer.asSlice(0, filled));
      filled = 0;
    }
  }

  @Override
  public void close() {
    flush();
  }
}
