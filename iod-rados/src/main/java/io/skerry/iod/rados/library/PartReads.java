package io.skerry.iod.rados.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;

/**
 * Reads the data of an object in parts that are in flight at the same time.
 *
 * @param library the library
 * @param pool the handle of the pool
 * @param object the name of the object
 */
record PartReads(Librados library, MemorySegment pool, String object) {
  /** The minimum size of a part in bytes; smaller parts take longer than they save. */
  private static final long LEAST_PART = 1 << 20;

  private static final int MOST_PARTS = 8;

  /** Parts begin at the blocks of the storage daemons, whose checksums cover these bytes. */
  private static final long ALIGNMENT = 1 << 16;

  /** Returns the size of each part but the last of a read, in bytes. */
  static long part(long size) {
    long parts = Math.clamp(size / LEAST_PART, 1, MOST_PARTS);
    long equal = (size + parts - 1) / parts;
    return Math.max(1, (equal + ALIGNMENT - 1) / ALIGNMENT) * ALIGNMENT;
  }

  /** Reads the data as {@link Pool#read} specifies. */
  long read(MemorySegment to) {
    long part = part(to.byteSize());
    // It never grows, so a submitted part cannot be lost because the heap is full.
    Deque<Submission> inFlight = new ArrayDeque<>(MOST_PARTS + 1);
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(object);
      for (long from = 0; from == 0 || from < to.byteSize(); from += part) {
        long size = Math.min(part, to.byteSize() - from);
        inFlight.add(submit(name, to.asSlice(from, size), from));
      }
      long size = 0;
      boolean isMissing = false;
      while (!inFlight.isEmpty()) {
        int result = inFlight.remove().await();
        size += Math.max(0, result);
        isMissing |= result < 0;
      }
      return isMissing ? -1 : size;
    } finally {
      // The library uses the memory until all parts are complete, whatever failed.
      while (!inFlight.isEmpty()) {
        inFlight.remove().settle();
      }
    }
  }

  private Submission submit(MemorySegment name, MemorySegment to, long from) {
    return Submission.of(
        library,
        "rados_aio_read",
        object,
        Set.of(RadosException.NO_ENTRY),
        completion ->
            (int) library.submitRead.invokeExact(pool, name, completion, to, to.byteSize(), from));
  }
}
