package io.skerry;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program for a small heap that writes and reads a large selection with a conversion, and prints
 * the memory that the process uses beyond the values. Its arguments are a folder and the number of
 * rows, of 32 KiB each in memory.
 */
final class LargeTransfers {
  private static final int COLUMNS = 4 << 10;

  private LargeTransfers() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    int rows = Integer.parseInt(args[1]);
    Datatype type = Datatype.F32.withOrder(Endian.BIG);
    DatasetSpec spec = DatasetSpec.of(type, Shape.of(rows, COLUMNS));
    Map<String, DatasetSpec> layouts = new TreeMap<>();
    layouts.put("contiguous", spec.contiguous());
    layouts.put("chunked", spec.chunked(500, 700));
    layouts.put("filtered", spec.chunked(500, 700).filters(Filters.shuffle(), Filters.deflate(1)));
    try (Arena arena = Arena.ofShared()) {
      MemorySegment values = arena.allocate(8L * rows * COLUMNS, 8);
      for (long i = 0; i < values.byteSize() / 8; i++) {
        values.setAtIndex(ValueLayout.JAVA_DOUBLE, i, i % 1000);
      }
      AtomicLong most = new AtomicLong();
      Thread.ofPlatform().daemon().start(() -> watch(most));
      for (Map.Entry<String, DatasetSpec> layout : layouts.entrySet()) {
        Path path = folder.resolve(layout.getKey() + ".h5");
        long before = resident();
        most.set(0);
        try (H5File file = H5File.create(path)) {
          Dataset dataset = file.createDataset("/d", layout.getValue());
          dataset.write(Selection.all(), Datatype.F64, values);
          file.flush();
          // The second write overwrites stored chunks.
          dataset.write(Selection.all(), Datatype.F64, values);
        }
        report(layout.getKey() + " write", before, most);
        values.fill((byte) 0);
        before = resident();
        most.set(0);
        try (H5File file = H5File.open(path)) {
          file.dataset("/d").read(Selection.all(), Datatype.F64, values);
        }
        report(layout.getKey() + " read", before, most);
        for (long i = 0; i < values.byteSize() / 8; i++) {
          if (values.getAtIndex(ValueLayout.JAVA_DOUBLE, i) != i % 1000) {
            throw new IllegalStateException("another value: index=" + i);
          }
        }
        Files.delete(path);
      }
    }
  }

  private static void report(String what, long before, AtomicLong most) {
    System.out.println(what + " MiB " + ((most.get() - before) >> 20));
  }

  private static void watch(AtomicLong most) {
    try {
      while (true) {
        most.accumulateAndGet(resident(), Math::max);
        // The sampling interval; no other thread waits for it.
        Thread.sleep(2);
      }
    } catch (IOException | InterruptedException e) {
      most.set(Long.MAX_VALUE);
    }
  }

  /** Returns the resident memory of the process that is not mapped from files. */
  private static long resident() throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
      if (line.startsWith("RssAnon:")) {
        return Long.parseLong(line.replaceAll("[^0-9]", "")) << 10;
      }
    }
    throw new IOException("no RssAnon in /proc/self/status");
  }
}
