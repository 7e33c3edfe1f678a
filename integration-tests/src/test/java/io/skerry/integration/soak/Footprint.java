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
 * The resources that this process uses at one moment. Linux only; requires the JVM option {@code
 * -XX:NativeMemoryTracking=summary}.
 *
 * @param heap the bytes of heap in use after a full collection
 * @param segments the bytes of native memory of arenas and direct buffers, as the JVM counts them
 * @param resident the resident bytes of the process; with a pre-touched heap of fixed size, only
 *     native memory of any origin changes them
 * @param mappings the number of memory mappings
 * @param descriptors the number of open file descriptors
 * @param threads the number of threads of the process, including those of the JVM
 */
record Footprint(
    long heap, long segments, long resident, long mappings, long descriptors, long threads) {
  private static final Path PROCESS = Path.of("/proc/self");
  private static final Pattern COMMITTED =
      Pattern.compile("Other \\(reserved=[0-9]+KB, committed=([0-9]+)KB\\)");
  private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+([0-9]+) kB");
  private static final Pattern THREADS = Pattern.compile("Threads:\\s+([0-9]+)");

  /** Collects garbage and measures the resources. */
  static Footprint take() throws IOException {
    // Another thread frees the native memory of collected objects a moment later.
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
