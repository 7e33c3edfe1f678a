package io.skerry.mpi.internal.file;

import io.skerry.mpi.file.MemoryView;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Reads without memory in between, where others would read into memory of their own and copy:
 * little into Java arrays by the C library's {@code pread}, much by copying from a mapping, and
 * into many places of native memory by {@code preadv}.
 */
final class DirectReads {
  /**
   * While {@code pread} fills an array the garbage collector has to wait; so many bytes cost a
   * fraction of a millisecond if they are in memory.
   */
  private static final long STEP = 512 << 10;

  /** From here on a mapping takes less than it saves. */
  private static final long LEAST_MAPPED = 2 << 20;

  /** How much is mapped at a time. */
  private static final long WINDOW = 64 << 20;

  /** The least that Linux takes in one call. */
  private static final int MOST_PLACES = 1024;

  private final PosixFile file;

  DirectReads(PosixFile file) {
    this.file = file;
  }

  /**
   * Reads as far as it gets.
   *
   * @return bytes read; whoever wants more asks the file, which says why there are none
   */
  long read(long offset, MemorySegment array) throws IOException {
    long done =
        array.byteSize() < LEAST_MAPPED
            ? 0
            : file.use((_, descriptor) -> copyMapped(descriptor, offset, array));
    while (done < array.byteSize()) {
      long wanted = Math.min(STEP, array.byteSize() - done);
      MemorySegment part = array.asSlice(done, wanted);
      long at = offset + done;
      long got = file.use((calls, descriptor) -> calls.readArray(descriptor, part, at));
      if (got <= 0) {
        break;
      }
      done += got;
    }
    return done;
  }

  private static long copyMapped(int descriptor, long offset, MemorySegment array) {
    // It leads to the file whatever happens to the name that the file was opened by.
    Path same = PosixFile.place(descriptor);
    long done = 0;
    while (done < array.byteSize()) {
      long bytes = Math.min(WINDOW, array.byteSize() - done);
      // A channel of its own: an interrupt in here closes it.
      try (FileChannel channel = FileChannel.open(same, StandardOpenOption.READ);
          Arena arena = Arena.ofConfined()) {
        MemorySegment window = channel.map(MapMode.READ_ONLY, offset + done, bytes, arena);
        MemorySegment.copy(window, 0, array, done, bytes);
      } catch (IOException | InternalError e) {
        // The file ends before, is cut by somebody else at this moment, or cannot be mapped: a
        // plain read finds out.
        return done;
      }
      done += bytes;
    }
    return done;
  }

  /**
   * Reads consecutive bytes into places of native memory, as far as it gets.
   *
   * @param places all within the memory
   * @return bytes read
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
