package io.skerry.chunk.bytes;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Bounds the memory of a single request. Sizes come from files and callers and may be arbitrary. A
 * request for more than seven eighths of the maximum heap is refused before any allocation; a
 * request that exceeds the free heap fails when its memory is allocated. Requests for native memory
 * are never refused beforehand; they can fail only when the memory is allocated. Each of these
 * failures causes a {@link MemoryLimitException}.
 */
public final class MemoryLimit {
  /** The JVM option that raises {@link #heap}. */
  private static final String HEAP_OPTION = "-Xmx";

  /**
   * The JVM option that raises the limit on memory outside the heap. The default limit is the
   * maximum heap size.
   */
  private static final String NATIVE_OPTION = "-XX:MaxDirectMemorySize";

  /** Matches the limit on memory outside the heap in the error message of the JVM. */
  private static final Pattern NATIVE_LIMIT = Pattern.compile("limit: (\\d+)");

  /**
   * The result of {@link #heap}, computed once. Even small reads are checked against this value,
   * and querying the JVM would take longer than the check.
   */
  private static final long HEAP = Runtime.getRuntime().maxMemory() / 8 * 7;

  private MemoryLimit() {}

  /**
   * Returns the heap memory that a single request may use, in bytes: seven eighths of the maximum
   * heap.
   */
  public static long heap() {
    return HEAP;
  }

  /**
   * Refuses a request that is larger than {@link #heap}.
   *
   * @param count the number of values
   * @param each the size of one value in bytes
   * @param purpose the use of the memory, for the error message
   * @throws MemoryLimitException if the values take more than {@link #heap}
   */
  public static void require(long count, long each, Supplier<String> purpose) {
    // Avoid the slower division for ordinary sizes.
    boolean isProductExact = count <= Integer.MAX_VALUE && each <= Integer.MAX_VALUE;
    if (isProductExact ? count * each > HEAP : count > HEAP / Math.max(1, each)) {
      throw refusal(count, each, purpose.get());
    }
  }

  /**
   * Allocates an object on the heap.
   *
   * @param count the number of values
   * @param each the size of one value in bytes
   * @param purpose the use of the memory, for the error message
   * @param maker the function that allocates the object in a single allocation, so that a failure
   *     leaves the heap unchanged
   * @throws MemoryLimitException if the size exceeds {@link #heap} or the free heap
   */
  public static <T> T make(long count, long each, Supplier<String> purpose, Supplier<T> maker) {
    require(count, each, purpose);
    try {
      return maker.get();
    } catch (OutOfMemoryError e) {
      throw exhausted(count, each, purpose.get(), e);
    }
  }

  /**
   * Creates the exception for an object that the free heap cannot hold.
   *
   * @param count the number of values
   * @param each the size of one value in bytes
   * @param purpose the use of the memory
   * @param e the failure of the allocation
   */
  public static MemoryLimitException exhausted(
      long count, long each, String purpose, OutOfMemoryError e) {
    MemoryLimitException refusal = refusal(count, each, purpose);
    refusal.initCause(e);
    return refusal;
  }

  private static MemoryLimitException refusal(long count, long each, String purpose) {
    long most = Long.MAX_VALUE / Math.max(1, each);
    long bytes = count > most ? Long.MAX_VALUE : count * each;
    return new MemoryLimitException(purpose, bytes, heap(), HEAP_OPTION);
  }

  /**
   * Allocates zeroed memory outside the heap.
   *
   * @param arena the arena that owns the memory
   * @param bytes the size in bytes, at least 0
   * @param alignment the alignment in bytes, a power of two
   * @throws MemoryLimitException if the JVM or the machine cannot provide the memory
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

  /**
   * Creates the exception for a failed allocation outside the heap.
   *
   * @param bytes the size in bytes
   * @param reason the message of the error; if it does not state the limit, the exception contains
   *     the default limit
   */
  static MemoryLimitException nativeRefusal(long bytes, String reason) {
    Matcher stated = NATIVE_LIMIT.matcher(reason);
    long limit = stated.find() ? Long.parseLong(stated.group(1)) : Runtime.getRuntime().maxMemory();
    return new MemoryLimitException("native memory (" + reason + ")", bytes, limit, NATIVE_OPTION);
  }

  /** Creates the exception for a request during which the heap was exhausted. */
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
