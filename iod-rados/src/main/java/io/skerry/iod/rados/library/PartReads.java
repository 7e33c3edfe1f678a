package io.skerry.iod.rados.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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

  private static final long MOST_PARTS = 8;

  /** Parts begin at the blocks of the storage daemons, whose checksums cover these bytes. */
  private static final long ALIGNMENT = 1 << 16;

  /** Reads the data as {@link Pool#read} specifies. */
  long read(MemorySegment to) {
    long parts = Math.clamp(to.byteSize() / LEAST_PART, 1, MOST_PARTS);
    long equal = (to.byteSize() + parts - 1) / parts;
    long part = Math.max(1, (equal + ALIGNMENT - 1) / ALIGNMENT) * ALIGNMENT;
    List<Submission> submitted = new ArrayList<>();
    Optional<RadosException> failure = Optional.empty();
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment name = arena.allocateFrom(object);
      for (long from = 0; from == 0 || from < to.byteSize(); from += part) {
        long size = Math.min(part, to.byteSize() - from);
        submitted.add(submit(name, to.asSlice(from, size), from));
      }
    } catch (RadosException e) {
      failure = Optional.of(e);
    }
    // The library uses the memory until all parts are complete.
    long size = 0;
    boolean isMissing = false;
    for (Submission each : submitted) {
      try {
        int result = each.await();
        size += Math.max(0, result);
        isMissing |= result < 0;
      } catch (RadosException e) {
        failure = Optional.of(failure.orElse(e));
      }
    }
    if (failure.isPresent()) {
      throw failure.get();
    }
    return isMissing ? -1 : size;
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
