package io.skerry.peers;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Compares how Skerry, jHDF and the HDF5 library read, write and list files with the same content.
 *
 * <p>All reads are served by the page cache. The time of a write includes forcing the file to the
 * device. Skerry reads and writes in two ways: with arrays, like jHDF, where each read creates a
 * new array; and with preallocated native memory, like the HDF5 library.
 */
final class FileBenchmark {
  private static final List<String[]> PAIRS =
      List.of(
          new String[] {"skerry (array)", "jhdf"},
          new String[] {"skerry (native)", "libhdf5 (native)"});

  private final Options options;
  private final List<Race> races = new ArrayList<>();
  private final Skerry arrays = new Skerry(Optional.empty());
  private final Jhdf jhdf = new Jhdf();
  private final Skerry segments;
  private final Libhdf5 libhdf5;
  private final int rows;

  private FileBenchmark(Options options) {
    this.options = options;
    this.rows = options.rows();
    MemorySegment room = Arena.global().allocate(rows * 4L * Material.COLUMNS, 64);
    this.segments = new Skerry(Optional.of(room));
    this.libhdf5 = new Libhdf5(room);
  }

  /**
   * Runs the selected tasks and prints their results.
   *
   * @param args the arguments from which the options were parsed
   */
  static void run(Options options, String[] args) throws IOException, InterruptedException {
    Files.createDirectories(options.folder());
    FileBenchmark benchmark = new FileBenchmark(options);
    benchmark.readAndWrite(Material.NOISE, Layout.CONTIGUOUS);
    benchmark.readAndWrite(Material.NOISE, Layout.CHUNKED);
    benchmark.readAndWrite(Material.NOISE, Layout.DEFLATE);
    benchmark.readAndWrite(Material.COUNTS, Layout.DEFLATE);
    benchmark.list("earliest");
    benchmark.list("latest");
    Report.print(
        "./skerry bench files", args, options.runs(), options.output(), benchmark.races, pairs());
  }

  private void readAndWrite(Material material, Layout layout) throws IOException {
    String what = layout.name().toLowerCase(Locale.ROOT) + "-" + material.name();
    boolean reads = options.chosen("read-" + what);
    boolean writes = options.chosen("write-" + what);
    if (!reads && !writes) {
      return;
    }
    Library.Source source = source(material);
    long expected = Material.checksum(source.memory());
    Path file = options.folder().resolve("read.h5");
    if (reads) {
      libhdf5.write(file, layout, source);
      Race race = new Race("read-" + what);
      for (Library library : List.of(arrays, jhdf, segments, libhdf5)) {
        race.add(
            library.name(),
            () -> {
              MemorySegment values = library.read(file);
              return () -> checked(values, expected);
            });
      }
      show(race.run(options.runs()));
      Files.delete(file);
    }
    if (writes) {
      write(layout, source, expected, "write-" + what);
    }
  }

  private static long checked(MemorySegment values, long expected) {
    long actual = Material.checksum(values);
    if (actual != expected) {
      throw new IllegalStateException("wrong values: expected=" + expected + " actual=" + actual);
    }
    return actual;
  }

  private void write(Layout layout, Library.Source source, long expected, String task)
      throws IOException {
    Path file = options.folder().resolve("written.h5");
    Race race = new Race(task);
    for (Library library : List.of(arrays, jhdf, segments, libhdf5)) {
      race.add(
          library.name(),
          () -> {
            Files.deleteIfExists(file);
            library.write(file, layout, source);
            force(file);
            return () -> checked(libhdf5.read(file), expected);
          });
    }
    show(race.run(options.runs()));
    Files.deleteIfExists(file);
  }

  private static void force(Path file) throws IOException {
    try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
      channel.force(true);
    }
  }

  private Library.Source source(Material material) {
    float[] flat = new float[rows * Material.COLUMNS];
    material.fill(flat);
    float[][] byRow = new float[rows][Material.COLUMNS];
    for (int row = 0; row < rows; row++) {
      System.arraycopy(flat, row * Material.COLUMNS, byRow[row], 0, Material.COLUMNS);
    }
    MemorySegment array = MemorySegment.ofArray(flat);
    MemorySegment memory = Arena.ofAuto().allocate(array.byteSize(), 64).copyFrom(array);
    return new Library.Source(flat, byRow, memory);
  }

  private void list(String bound) throws IOException, InterruptedException {
    if (!options.chosen("list-" + bound) && !options.chosen("walk-" + bound)) {
      return;
    }
    Path file = ManyDatasets.create(options.folder(), options.datasets(), bound);
    Race list = new Race("list-" + bound);
    Race walk = new Race("walk-" + bound);
    for (Library library : List.of(arrays, jhdf, libhdf5)) {
      list.add(
          library.name(),
          () -> {
            long sum = library.list(file, ManyDatasets.GROUP);
            return () -> sum;
          });
      walk.add(
          library.name(),
          () -> {
            long sum = library.walk(file, ManyDatasets.GROUP);
            return () -> sum;
          });
    }
    for (Race race : List.of(list, walk)) {
      show(race.run(options.runs()));
    }
    Files.delete(file);
  }

  private static List<String[]> pairs() {
    List<String[]> pairs = new ArrayList<>(PAIRS);
    pairs.add(new String[] {"skerry (array)", "libhdf5 (native)"});
    return pairs;
  }

  private void show(Race race) {
    races.add(race);
    if (!options.json()) {
      System.out.println(race.table(pairs()));
    }
  }
}
