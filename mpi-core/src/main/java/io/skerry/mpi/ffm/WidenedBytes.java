package io.skerry.mpi.ffm;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.BiConsumer;

/** Combines bytes as {@code int}s, for libraries that give bytes a sign. */
final class WidenedBytes {
  private WidenedBytes() {}

  /**
   * @param call combines the {@code int}s of its first segment into its second
   */
  static void combine(
      MemorySegment send, MemorySegment receive, BiConsumer<MemorySegment, MemorySegment> call) {
    long count = send.byteSize();
    try (var arena = Arena.ofConfined()) {
      var wideSend = arena.allocate(JAVA_INT, count);
      var wideReceive = arena.allocate(JAVA_INT, count);
      for (long i = 0; i < count; i++) {
        wideSend.setAtIndex(JAVA_INT, i, Byte.toUnsignedInt(send.get(JAVA_BYTE, i)));
      }
      call.accept(wideSend, wideReceive);
      for (long i = 0; i < count; i++) {
        receive.set(JAVA_BYTE, i, (byte) wideReceive.getAtIndex(JAVA_INT, i));
      }
    }
  }
}
