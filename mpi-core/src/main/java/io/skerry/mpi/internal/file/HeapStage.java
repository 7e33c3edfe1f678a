package io.skerry.mpi.internal.file;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Moves arrays by way of native memory, in parts that should still be in the nearest caches. */
final class HeapStage {
  private static final long BYTES = 256L << 10;

  private HeapStage() {}

  /** Fills native memory as far as the file goes. */
  @FunctionalInterface
  interface Reading {
    /** Bytes read. */
    long read(long offset, MemorySegment memory) throws IOException;
  }

  /** Writes all of some native memory. */
  @FunctionalInterface
  interface Writing {
    /** Writes it. */
    void write(long offset, MemorySegment memory) throws IOException;
  }

  /**
   * Fills an array as far as the file goes.
   *
   * @return bytes read
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

  /** Writes all of an array. */
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
