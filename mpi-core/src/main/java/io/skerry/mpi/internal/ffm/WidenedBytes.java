package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Reduces bytes as {@code int}s, for libraries that compare bytes as signed numbers. */
final class WidenedBytes {
  private WidenedBytes() {}

  /**
   * Number of bytes that are widened at a time. Since it is the same on all ranks, all ranks make
   * the same calls.
   */
  private static final long PIECE = 1L << 24;

  /**
   * Performs a reduction or an exclusive scan of bytes.
   *
   * @param send the bytes of this rank
   * @param receive the memory for the result
   * @param call the function that performs the operation on the {@code int}s in its first argument
   *     and stores the result in its second argument
   */
  static void combine(
      MemorySegment send, MemorySegment receive, BiConsumer<MemorySegment, MemorySegment> call) {
    try (var arena = Arena.ofConfined()) {
      long most = Math.min(PIECE, send.byteSize());
      var wideSend = arena.allocate(JAVA_INT, most);
      var wideReceive = arena.allocate(JAVA_INT, most);
      long done = 0;
      do {
        long count = Math.min(PIECE, send.byteSize() - done);
        for (long i = 0; i < count; i++) {
          wideSend.setAtIndex(JAVA_INT, i, Byte.toUnsignedInt(send.get(JAVA_BYTE, done + i)));
        }
        long bytes = count * Integer.BYTES;
        call.accept(wideSend.asSlice(0, bytes), wideReceive.asSlice(0, bytes));
        for (long i = 0; i < count; i++) {
          receive.set(JAVA_BYTE, done + i, (byte) wideReceive.getAtIndex(JAVA_INT, i));
        }
        done += count;
      } while (done < send.byteSize());
    }
  }
}
