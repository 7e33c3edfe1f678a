package io.skerry.chunk.bytes;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Bounds the memory that one request takes. Sizes come from files and callers, and can be any
 * number: a request that exceeds the heap is refused before anything is allocated, one for which
 * there is no room at the moment when it is allocated. Both end in a {@link MemoryLimitException}.
 */
public final class MemoryLimit {
  /** Option of the JVM that raises {@link #heap}. */
  private static final String HEAP_OPTION = "-Xmx";

  /** Option of the JVM for memory outside the heap, of which there is as much as heap otherwise. */
  private static final String NATIVE_OPTION = "-XX:MaxDirectMemorySize";

  /** Asked for once: each small read compares with it, and asking takes longer than that. */
  private static final long HEAP = Runtime.getRuntime().maxMemory() / 8 * 7;

  private MemoryLimit() {}

  /** Bytes that one request may take of the heap: seven eighths of its largest size. */
  public static long heap() {
    return HEAP;
  }

  /**
   * Refuses a request that is larger than {@link #heap}.
   *
   * @param count number of values
   * @param each bytes of one value
   * @param purpose use of the memory, for the error
   * @throws MemoryLimitException if they do not fit
   */
  public static void require(long count, long each, Supplier<String> purpose) {
    // A division takes as long as the rest of a small read's bookkeeping.
    boolean isProductExact = count <= Integer.MAX_VALUE && each <= Integer.MAX_VALUE;
    if (isProductExact ? count * each > HEAP : count > HEAP / Math.max(1, each)) {
      throw refusal(count, each, purpose.get());
    }
  }

  /**
   * Makes an object on the heap.
   *
   * @param count number of values
   * @param each bytes of one value
   * @param purpose use of the memory, for the error
   * @param maker makes the object by one allocation, so that the heap is as before if it fails
   * @throws MemoryLimitException if it is larger than {@link #heap}, or the heap has no room now
   */
  public static <T> T make(long count, long each, Supplier<String> purpose, Supplier<T> maker) {
    require(count, each, purpose);
    try {
      return maker.get();
    } catch (OutOfMemoryError e) {
      MemoryLimitException refusal = refusal(count, each, purpose.get());
      refusal.initCause(e);
      throw refusal;
    }
  }

  private static MemoryLimitException refusal(long count, long each, String purpose) {
    long most = Long.MAX_VALUE / Math.max(1, each);
    long bytes = count > most ? Long.MAX_VALUE : count * each;
    return new MemoryLimitException(purpose, bytes, heap(), HEAP_OPTION);
  }

  /**
   * Allocates zeroed memory outside the heap.
   *
   * @param bytes at least 0
   * @param alignment bytes, a power of two
   * @throws MemoryLimitException if the JVM or the machine has no more
   */
  public static MemorySegment outsideHeap(Arena arena, long bytes, long alignment) {
    try {
      return arena.allocate(bytes, alignment);
    } catch (OutOfMemoryError e) {
      MemoryLimitException refusal = nativeRefusal(bytes, String.valueOf(e.getMessage()));
      refusal.initCause(e);
      throw refusal;
    }
  }

  /** The refusal of memory outside the heap that could not be allocated. */
  static MemoryLimitException nativeRefusal(long bytes, String reason) {
    return new MemoryLimitException(
        "native memory (" + reason + ")", bytes, Runtime.getRuntime().maxMemory(), NATIVE_OPTION);
  }

  /** The refusal of a request in whose course memory ran out. */
  public static MemoryLimitException exhausted(OutOfMemoryError e) {
    Runtime runtime = Runtime.getRuntime();
    MemoryLimitException refusal =
        new MemoryLimitException(
            "a request that ran out of memory with so many bytes in use (" + e.getMessage() + ")",
            runtime.totalMemory() - runtime.freeMemory(),
            runtime.maxMemory(),
            HEAP_OPTION);
    refusal.initCause(e);
    return refusal;
  }
}
