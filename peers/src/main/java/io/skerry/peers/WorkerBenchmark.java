package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.SplittableRandom;

/**
 * Measures the speedup from a second worker thread of Skerry when an entire filtered dataset is
 * read, and compares it with the speedup from a second thread when the same stored bytes are only
 * inflated in memory. The latter is the speedup that the machine permits; the ratio of the former
 * to the latter is the fraction that Skerry achieves.
 *
 * <p>The dataset contains detector counts with one frame per chunk, compressed by deflate. Skerry
 * reads from the page cache into native memory; {@code java.util.zip.Inflater} reuses one array per
 * thread.
 */
final class WorkerBenchmark {
  static final int SIDE = 1024;
  private static final int FRAME_BYTES = 2 * SIDE * SIDE;

  /**
   * The number of different frames. Repeated frames do not compress better, because each frame is
   * compressed separately.
   */
  private static final int DIFFERENT = 16;

  private static final List<String[]> PAIRS =
      List.of(
          new String[] {"skerry, 2 workers", "skerry"},
          new String[] {"inflate, 2 threads", "inflate"},
          new String[] {"skerry", "inflate"},
          new String[] {"skerry, 2 workers", "inflate, 2 threads"});

  private WorkerBenchmark() {}

  /**
   * Runs the comparison and prints its results.
   *
   * @param args the arguments from which the options were parsed
   */
  static void run(FrameOptions options, String[] args) throws IOException {
    Files.createDirectories(options.folder());
    Path path = options.folder().resolve("workers.h5");
    try (Arena arena = Arena.ofShared()) {
      write(path, options.frames());
      BareInflate bare = new BareInflate(stored(path, options.frames()), FRAME_BYTES);
      long expected = bare.checksum();
      MemorySegment room = arena.allocate((long) options.frames() * FRAME_BYTES, 64);
      Race race = new Race("inflate-" + options.frames() * 2 + "MiB");
      race.add("skerry", () -> read(path, 1, room, bare));
      race.add("skerry, 2 workers", () -> read(path, 2, room, bare));
      for (int threads : List.of(1, 2)) {
        race.add(
            threads == 1 ? "inflate" : "inflate, 2 threads",
            () -> {
              bare.run(threads);
              return () -> expected;
            });
      }
      race.run(options.runs());
      if (!options.json()) {
        System.out.println(race.table(PAIRS));
        System.out.println(verdict(race));
      }
      Report.print(
          "./skerry bench workers", args, options.runs(), options.output(), List.of(race), PAIRS);
    } finally {
      Files.deleteIfExists(path);
    }
  }

  private static String verdict(Race race) {
    OptionalDouble ours = race.ratio("skerry, 2 workers", "skerry");
    OptionalDouble bare = race.ratio("inflate, 2 threads", "inflate");
    return String.format(
        Locale.ROOT,
        "a second worker gains %.3f of what a second thread that only inflates gains",
        ours.orElseThrow() / bare.orElseThrow());
  }

  private static void write(Path path, int frames) {
    DatasetSpec spec =
        DatasetSpec.of(Datatype.U16, Shape.of(frames, SIDE, SIDE))
            .chunked(1, SIDE, SIDE)
            .filters(Filters.deflate(Layout.LEVEL));
    List<short[]> different = new ArrayList<>();
    for (int i = 0; i < Math.min(DIFFERENT, frames); i++) {
      different.add(counts(i));
    }
    try (H5File file = H5File.create(path)) {
      Dataset dataset = file.createDataset("frames", spec);
      for (int i = 0; i < frames; i++) {
        dataset.write(
            Selection.at(i, 0, 0).extent(1, SIDE, SIDE), different.get(i % different.size()));
      }
    }
  }

  /** Returns a frame with a background of about 40 counts and some bright pixels. */
  private static short[] counts(int seed) {
    SplittableRandom random = new SplittableRandom(0x5eed + seed);
    short[] counts = new short[SIDE * SIDE];
    for (int i = 0; i < counts.length; i++) {
      double count = 40 + 6 * random.nextGaussian();
      counts[i] = (short) (random.nextInt(4096) == 0 ? random.nextInt(16384) : Math.max(0, count));
    }
    return counts;
  }

  private static List<byte[]> stored(Path path, int frames) {
    List<byte[]> stored = new ArrayList<>();
    try (H5File file = H5File.open(path)) {
      Dataset dataset = file.dataset("frames");
      for (int i = 0; i < frames; i++) {
        stored.add(
            dataset.chunks().image(i, 0, 0).orElseThrow().bytes().toArray(ValueLayout.JAVA_BYTE));
      }
    }
    return stored;
  }

  private static Race.Check read(Path path, int workers, MemorySegment room, BareInflate bare) {
    FileOptions options = FileOptions.standard().withWorkers(workers);
    try (H5File file = H5File.open(path, Communicator.self(), options)) {
      Dataset dataset = file.dataset("frames");
      long start = System.nanoTime();
      dataset.read(Selection.all(), Datatype.U16, room);
      double seconds = (System.nanoTime() - start) / 1e9;
      return new Race.Timed(seconds, () -> bare.sum(room));
    }
  }
}
