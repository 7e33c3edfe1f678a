package io.skerry.cache.policy;

import java.lang.reflect.Method;

/**
 * Counts the bytes that a task allocates. Uses reflection, because the module under test does not
 * read the module with the counter.
 */
final class Allocation {
  private Allocation() {}

  /** Returns the bytes that this thread allocates in the second run of a task. */
  public static long of(Runnable work) {
    work.run();
    long before = bytes();
    work.run();
    return bytes() - before;
  }

  private static long bytes() {
    try {
      Method threads =
          Class.forName("java.lang.management.ManagementFactory").getMethod("getThreadMXBean");
      Method counter =
          Class.forName("com.sun.management.ThreadMXBean")
              .getMethod("getCurrentThreadAllocatedBytes");
      return (long) counter.invoke(threads.invoke(null));
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no counter of allocated bytes in this JVM", e);
    }
  }
}
