package io.skerry.integration.soak;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * The resources that this process holds at one moment. Linux only; the JVM must have been started
 * with {@code -XX:NativeMemoryTracking=summary}.
 *
 * @param heap bytes of the heap in use after a full collection
 * @param segments bytes of native memory that arenas and direct buffers hold, as the JVM counts
 *     them
 * @param resident bytes of the process in memory; with a heap of fixed size that was touched at the
 *     start, what changes is native memory, whoever allocated it
 * @param mappings of memory
 * @param descriptors open
 * @param threads of the process, those of the JVM included
 */
record Footprint(
    long heap, long segments, long resident, long mappings, long descriptors, long threads) {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final Pattern COMMITTED =
      Pattern.compile("Other \\(reserved=[0-9]+KB, committed=([0-9]+)KB\\)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+([0-9]+) kB");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+([0-9]+)");

  /** Collects garbage and looks. */
  static Footprint take() throws IOException {
    // What a collection finds dead frees its native memory a moment later, in another thread.
    for (int i = 0; i < 2; i++) {
      System.gc();
      LockSupport.parkNanos(50_000_000);
    }
    String status = Files.readString(PROCESS.resolve("status"));
    return new Footprint(
        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
        number(COMMITTED, nativeMemory()) * 1024,
        number(RESIDENT, status) * 1024,
        lines(PROCESS.resolve("maps")),
        entries(PROCESS.resolve("fd")),
        number(THREADS, status));
  }

  private static String nativeMemory() {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    try {
      ObjectName commands = new ObjectName("com.sun.management:type=DiagnosticCommand");
      String[] signature = {String[].class.getName()};
      Object[] arguments = {new String[] {"summary"}};
      return (String) server.invoke(commands, "vmNativeMemory", arguments, signature);
    } catch (JMException e) {
      throw new IllegalStateException("the JVM does not tell its native memory", e);
    }
  }

  private static long number(Pattern pattern, String text) {
    Matcher found = pattern.matcher(text);
    if (!found.find()) {
      throw new IllegalStateException("no number: pattern=" + pattern + " text=" + text);
    }
    return Long.parseLong(found.group(1));
  }

  private static long lines(Path path) throws IOException {
    try (Stream<String> all = Files.lines(path)) {
      return all.count();
    }
  }

  private static long entries(Path folder) throws IOException {
    try (Stream<Path> all = Files.list(folder)) {
      return all.count();
    }
  }

  @Override
  public String toString() {
    return "heap=%.1f MiB, segments=%.1f MiB, resident=%.1f MiB, mappings=%d, descriptors=%d, threads=%d"
        .formatted(
            mebibytes(heap),
            mebibytes(segments),
            mebibytes(resident),
            mappings,
            descriptors,
            threads);
  }

  private static double mebibytes(long bytes) {
    return bytes / (double) (1 << 20);
  }
}
