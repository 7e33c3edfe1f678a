package io.skerry.mpi.internal.file;

import io.skerry.mpi.file.MemoryView;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Reads without an intermediate buffer: into Java arrays with {@code pread} of the C library, and
 * consecutive bytes into many blocks of native memory with {@code preadv}.
 */
final class DirectReads {
  /**
   * Maximum number of bytes that one {@code pread} reads into an array. The call delays garbage
   * collection, but reading this many bytes from the page cache takes only a fraction of a
   * millisecond.
   */
  private static final long STEP = 512 << 10;

  /** Maximum number of blocks in one {@code preadv} call; a limit of Linux. */
  private static final int MOST_PLACES = 1024;

  private final PosixFile file;

  DirectReads(PosixFile file) {
    this.file = file;
  }

  /**
   * Reads into an array until it is full, or until a call reads fewer bytes than requested.
   *
   * @return the number of bytes read; if this is less than the size of the array, the caller must
   *     read the rest from the {@link RawFile}, which reports any error
   */
  long read(long offset, MemorySegment array) throws IOException {
    long done = 0;
    while (done < array.byteSize()) {
      long wanted = Math.min(STEP, array.byteSize() - done);
      MemorySegment part = array.asSlice(done, wanted);
      long at = offset + done;
      long got = file.use((calls, descriptor) -> calls.readArray(descriptor, part, at));
      done += Math.max(0, got);
      if (got < wanted) {
        break;
      }
    }
    return done;
  }

  /**
   * Reads consecutive bytes into blocks of native memory until all blocks are full, or until a call
   * reads fewer bytes than requested.
   *
   * @param offset the offset in the file
   * @param memory the memory
   * @param places the blocks, all within the memory
   * @return the number of bytes read
   */
  long scatter(long offset, MemorySegment memory, MemoryView places) throws IOException {
    int most = Math.min(MOST_PLACES, places.count());
    long[] vector = new long[2 * most];
    long done = 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment passed = arena.allocate(ValueLayout.JAVA_LONG, vector.length);
      for (int first = 0; first < places.count(); first += most) {
        int count = Math.min(most, places.count() - first);
        long wanted = 0;
        for (int i = 0; i < count; i++) {
          vector[2 * i] = memory.address() + places.offset(first + i);
          vector[2 * i + 1] = places.length(first + i);
          wanted += vector[2 * i + 1];
        }
        MemorySegment.copy(vector, 0, passed, ValueLayout.JAVA_LONG, 0, 2 * count);
        int listed = count;
        long at = offset + done;
        long got =
            file.use((calls, descriptor) -> calls.scatter(descriptor, passed, listed, at, memory));
        done += Math.max(0, got);
        if (got != wanted) {
          break;
        }
      }
    }
    return done;
  }
}
