package io.skerry.peers;

import io.skerry.peers.FrameStore.Pace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Compares how libraries write the kept pixels of detector frames, and then find and read them:
 * Skerry with a sparse dataset, h5py with a dense dataset and gzip, and TileDB with a sparse array.
 *
 * <p>The time of a write includes forcing the files to the device; reads are served by the page
 * cache. Before the measurement begins, the data is converted to the form that each library
 * requires: a selection and values, full frames, or coordinates and values. A read returns the
 * coordinates and values of all kept pixels.
 */
final class SparseBenchmark {
  private static final List<String[]> PAIRS =
      List.of(new String[] {"skerry", "h5py"}, new String[] {"skerry", "tiledb"});

  /** The number of uncounted rounds, during which the JVM compiles the code. */
  private static final int WARM_UPS = 12;

  private final FrameOptions options;
  private final Frames frames;
  private final long expected;
  private final List<FrameStore> stores;
  private final List<Race> races = new ArrayList<>();
  private final List<Size> sizes = new ArrayList<>();

  private SparseBenchmark(FrameOptions options, Frames frames, List<FrameStore> stores) {
    this.options = options;
    this.frames = frames;
    this.expected = frames.checksum();
    this.stores = stores;
  }

  /** Runs all tasks and prints their results. */
  static void run(FrameOptions options) throws IOException {
    Files.createDirectories(options.folder());
    Path material = options.folder().resolve("frames.bin");
    Frames frames = new Frames(options.frames());
    frames.save(material);
    try (SkerryFrames skerry = new SkerryFrames(frames, options.folder());
        H5pyFrames h5py = new H5pyFrames(material, options.folder());
        TileDbFrames tiledb = new TileDbFrames(frames, options.folder())) {
      SparseBenchmark benchmark =
          new SparseBenchmark(options, frames, List.of(skerry, h5py, tiledb));
      for (Pace pace : Pace.values()) {
        benchmark.write(pace);
        benchmark.read(pace);
      }
      benchmark.report();
      for (FrameStore store : benchmark.stores) {
        new FileTree(store.path()).delete();
      }
    } finally {
      Files.deleteIfExists(material);
    }
  }

  private void write(Pace pace) throws IOException {
    Race race = new Race("write-" + nameOf(pace), WARM_UPS);
    for (FrameStore store : stores) {
      race.add(
          store.name(),
          () -> {
            new FileTree(store.path()).delete();
            long start = System.nanoTime();
            Race.Check check = store.write(pace);
            new FileTree(store.path()).force();
            return checked(check, start);
          });
    }
    show(race.run(options.runs()));
    for (FrameStore store : stores) {
      if (Files.exists(store.path())) {
        long bytes = new FileTree(store.path()).bytes();
        sizes.add(new Size(nameOf(pace), store.name(), bytes, frames.kept()));
      }
    }
  }

  private void read(Pace pace) throws IOException {
    Race race = new Race("read-" + nameOf(pace), WARM_UPS);
    for (FrameStore store : stores) {
      if (Files.exists(store.path())) {
        race.add(
            store.name(),
            () -> {
              long start = System.nanoTime();
              return checked(store.read(pace), start);
            });
      }
    }
    show(race.run(options.runs()));
  }

  private static String nameOf(Pace pace) {
    return pace.name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns a check of the result with the time that the library measured itself or, if it measured
   * none, with the time since the given start.
   */
  private Race.Check checked(Race.Check check, long start) {
    double took = check.seconds().orElse((System.nanoTime() - start) / 1e9);
    return new Race.Timed(
        took,
        () -> {
          long actual = check.result();
          if (actual != expected) {
            throw new IllegalStateException(
                "wrong values: expected=" + expected + " actual=" + actual);
          }
          return actual;
        });
  }

  private void show(Race race) {
    races.add(race);
    if (!options.json()) {
      System.out.println(race.table(PAIRS));
    }
  }

  private void report() {
    if (options.json()) {
      System.out.println(
          "{\"frames\": "
              + frames.count()
              + ", \"values\": "
              + frames.kept()
              + ", \"processors\": "
              + Runtime.getRuntime().availableProcessors()
              + ", \"runs\": "
              + options.runs()
              + ", \"tasks\": [\n"
              + String.join(",\n", races.stream().map(race -> race.json(PAIRS)).toList())
              + "], \"sizes\": [\n"
              + String.join(",\n", sizes.stream().map(Size::json).toList())
              + "]}");
      return;
    }
    sizes.forEach(size -> System.out.print(size.line()));
    System.out.printf(
        Locale.ROOT,
        "frames: %d, values: %d, processors: %d, runs: %d%n",
        frames.count(),
        frames.kept(),
        Runtime.getRuntime().availableProcessors(),
        options.runs());
  }

  /** The size of the files of one library. */
  private record Size(String pace, String library, long bytes, long values) {
    String line() {
      return String.format(
          Locale.ROOT,
          "%-18s %-17s %9d bytes, %.3f per value%n",
          "size-" + pace,
          library,
          bytes,
          (double) bytes / values);
    }

    String json() {
      return Json.object(
          List.of(
              "\"written\": " + Json.text(pace),
              "\"library\": " + Json.text(library),
              "\"bytes\": " + bytes,
              String.format(Locale.ROOT, "\"bytesPerValue\": %.4f", (double) bytes / values)));
    }
  }
}
