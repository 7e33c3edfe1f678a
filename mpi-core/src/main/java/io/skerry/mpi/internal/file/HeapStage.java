package io.skerry.mpi.internal.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Transfers arrays through native memory, in parts that are small enough for the processor's
 * caches.
 */
final class HeapStage {
  private static final long BYTES = 256L << 10;

  private HeapStage() {}

  /** A read that fills native memory, or stops at the end of the file. */
  @FunctionalInterface
  interface Reading {
    /** Returns the number of bytes read. */
    long read(long offset, MemorySegment memory) throws IOException;
  }

  /** A write of a complete segment of native memory. */
  @FunctionalInterface
  interface Writing {
    /** Writes the memory at an offset in the file. */
    void write(long offset, MemorySegment memory) throws IOException;
  }

  /**
   * Fills an array, or reads up to the end of the file.
   *
   * @return the number of bytes read
   */
  static long read(Reading file, long offset, MemorySegment array) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stage = stage(arena, array);
      long done = 0;
      while (done < array.byteSize()) {
        long wanted = Math.min(stage.byteSize(), array.byteSize() - done);
        long got = file.read(offset + done, stage.asSlice(0, wanted));
        MemorySegment.copy(stage, 0, array, done, got);
        done += got;
        if (got < wanted) {
          break;
        }
      }
      return done;
    }
  }

  /** Writes an array completely. */
  static void write(Writing file, long offset, MemorySegment array) throws IOException {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment stage = stage(arena, array);
      long done = 0;
      while (done < array.byteSize()) {
        long bytes = Math.min(stage.byteSize(), array.byteSize() - done);
        MemorySegment.copy(array, done, stage, 0, bytes);
        file.write(offset + done, stage.asSlice(0, bytes));
        done += bytes;
      }
    }
  }

  private static MemorySegment stage(Arena arena, MemorySegment array) {
    return arena.allocate(Math.min(BYTES, array.byteSize()), Long.BYTES);
  }
}
