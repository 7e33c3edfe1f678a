package io.skerry.iod.encoding;

import java.lang.reflect.Method;

/** The bytes that threads have allocated; by reflection, because iod does not read the module. */
public final class AllocatedBytes {
  private AllocatedBytes() {}

  /** Returns the bytes that this thread has allocated on the heap. */
  public static long ofThisThread() {
    try {
      return (long) Counter.METHOD.invoke(Counter.THREADS);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("no counter of allocated bytes in this JVM", e);
    }
  }

  /** The counter. */
  private static final class Counter {
    static final Object THREADS;
    static final Method METHOD;

    static {
      try {
        THREADS =
            Class.forName("java.lang.management.ManagementFactory")
                .getMethod("getThreadMXBean")
                .invoke(null);
        METHOD =
            Class.forName("com.sun.management.ThreadMXBean")
                .getMethod("getCurrentThreadAllocatedBytes");
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("no counter of allocated bytes in this JVM", e);
      }
    }
  }
}
