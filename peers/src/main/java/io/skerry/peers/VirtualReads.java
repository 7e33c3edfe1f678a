package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.chunk.bytes.Lookup3;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Compares how Skerry and h5py read two virtual datasets: one with many source files of one frame
 * each, read by one rank and by several ranks, and one with many mappings to a single file. Each
 * run opens the file. Also compares the opening of a dataset with very many mappings in Skerry with
 * plain reads of the file that contains the mappings.
 *
 * @param frames the number of source files
 * @param mappings the number of mappings to one file
 * @param many the number of mappings of the dataset that is only opened
 * @param runs the number of counted runs
 * @param warmUps the number of uncounted runs before the counted runs, at most 3 for reads of all
 *     sources. A run of a short task ends before its code is compiled, so with few warm-ups the
 *     results include compilation
 * @param ranks the number of ranks of the collective reads
 * @param folder the folder for the files, which are created if they do not exist
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record VirtualReads(
    int frames,
    int mappings,
    int many,
    int runs,
    int warmUps,
    int ranks,
    Path folder,
    Options.Output output,
    Pattern only) {
  static final String USAGE =
      """
      ./skerry bench virtual [--frames 10000] [--mappings 100000] [--many 1000000] [--runs 5]
                             [--warm-ups 20] [--ranks 2] [--dir FOLDER] [--json] [--only PATTERN]
      """;

  /** The maximum number of warm-ups of the task that reads all sources. */
  private static final int MOST_WARM_UPS_OF_WHOLE = 3;

  private static final int SIDE = 64;
  private static final int WIDTH = 16;
  private static final int ROWS = 1000;

  static VirtualReads parse(String[] args) {
    int frames = 10_000;
    int mappings = 100_000;
    int many = 1_000_000;
    int runs = 5;
    int warmUps = 20;
    int ranks = 2;
    Path folder = Path.of(System.getProperty("java.io.tmpdir"), "skerry-bench-virtual");
    Options.Output output = Options.Output.TABLE;
    Pattern only = Pattern.compile("");
    Iterator<String> rest = List.of(args).iterator();
    while (rest.hasNext()) {
      String name = rest.next();
      switch (name) {
        case "--json" -> output = Options.Output.JSON;
        case "--frames" -> frames = Options.number(name, rest);
        case "--mappings" -> mappings = Options.number(name, rest);
        case "--ranks" -> ranks = Options.number(name, rest);
        case "--many" -> many = Options.number(name, rest);
        case "--runs" -> runs = Options.number(name, rest);
        case "--warm-ups" -> warmUps = Options.number(name, rest);
        case "--only" -> only = Pattern.compile(Options.value(name, rest));
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    Path files = folder.resolve(frames + "-" + mappings);
    return new VirtualReads(frames, mappings, many, runs, warmUps, ranks, files, output, only);
  }

  /** Runs the selected tasks and prints their results. */
  void run() throws IOException, InterruptedException {
    Files.createDirectories(folder);
    try (PythonChild h5py = new PythonChild("virtual_reads.py", folder, frames, mappings)) {
      race(h5py, "whole", Math.min(warmUps, MOST_WARM_UPS_OF_WHOLE), this::whole);
      race(h5py, "rows", warmUps, this::rows);
      race(h5py, "one", warmUps, this::one);
      race(h5py, "defined", warmUps, this::defined);
    }
    if (only.matcher("open").find()) {
      open(FormatBounds.V110);
      open(FormatBounds.V200);
    }
    new VirtualRanks(ranks, runs, folder, frames, mappings, output, only).run();
  }

  /**
   * Compares opening a dataset with many mappings with plain reads of its file, without and with a
   * checksum.
   */
  private void open(FormatBounds bounds) throws IOException {
    Path path = folder.resolve("many-" + many + "-" + bounds + ".h5");
    if (!Files.exists(path)) {
      VirtualLayout.Builder layout = VirtualLayout.builder();
      for (int i = 0; i < many; i++) {
        VirtualSource source = VirtualSource.of("a-file-of-rows.h5", "/entry/rows");
        layout.map(
            Selection.at(i, 0).extent(1, WIDTH),
            source.select(Selection.at(many - 1 - i, 0).extent(1, WIDTH)));
      }
      FileOptions options = FileOptions.standard().withBounds(bounds);
      try (H5File file = H5File.create(path, Communicator.self(), options)) {
        file.createDataset(
            "v", DatasetSpec.of(Datatype.I32, Shape.of(many, WIDTH)).virtual(layout.build()));
      }
    }
    Race race = new Race("virtual-open-" + bounds, warmUps);
    race.add("skerry", () -> opened(path));
    race.add("read", () -> plain(path));
    race.add("read and checksum", () -> checked(path));
    race.run(runs);
    List<String[]> pairs =
        List.of(new String[] {"skerry", "read"}, new String[] {"skerry", "read and checksum"});
    System.out.print(output == Options.Output.JSON ? race.json(pairs) + "\n" : race.table(pairs));
  }

  private Race.Check opened(Path path) throws IOException {
    try (H5File file = H5File.open(path)) {
      long rows = file.dataset("v").shape().extent(0);
      long bytes = Files.size(path);
      return () -> rows == many ? bytes : -1;
    }
  }

  private static Race.Check plain(Path path) throws IOException {
    byte[] bytes = bytes(path);
    return () -> bytes.length;
  }

  private static Race.Check checked(Path path) throws IOException {
    byte[] bytes = bytes(path);
    long checksum = Integer.toUnsignedLong(Lookup3.checksum(MemorySegment.ofArray(bytes)));
    return () -> checksum >= 0 ? bytes.length : -1;
  }

  private static byte[] bytes(Path path) throws IOException {
    try (FileChannel channel = FileChannel.open(path)) {
      ByteBuffer bytes = ByteBuffer.allocate(Math.toIntExact(channel.size()));
      int read = 0;
      while (bytes.hasRemaining() && read >= 0) {
        read = channel.read(bytes);
      }
      return bytes.array();
    }
  }

  private Race.Check defined() {
    try (H5File file = H5File.open(folder.resolve("mappings.h5"))) {
      Dataset dataset = file.dataset("v");
      long count = dataset.defined(Selection.all()).count(dataset.shape());
      return () -> count;
    }
  }

  private void race(PythonChild h5py, String task, int uncounted, Race.Runner ours)
      throws IOException {
    if (!only.matcher(task).find()) {
      return;
    }
    // h5py runs first, because it creates the files.
    h5py.ask(task);
    Race race = new Race("virtual-" + task, uncounted);
    race.add("skerry", ours);
    race.add(
        "h5py",
        () -> {
          String[] answer = h5py.ask(task).split(" ");
          return new Race.Timed(Double.parseDouble(answer[0]), () -> Long.parseLong(answer[1]));
        });
    race.run(runs);
    List<String[]> pairs = List.<String[]>of(new String[] {"skerry", "h5py"});
    System.out.print(output == Options.Output.JSON ? race.json(pairs) + "\n" : race.table(pairs));
  }

  private Race.Check whole() {
    try (H5File file = H5File.open(folder.resolve("frames.h5"))) {
      short[] read = file.dataset("v").readShorts(Selection.all());
      return () -> sum(read);
    }
  }

  private Race.Check rows() {
    List<short[]> read = new ArrayList<>();
    try (H5File file = H5File.open(folder.resolve("frames.h5"))) {
      Dataset dataset = file.dataset("v");
      for (int i = 0; i < ROWS; i++) {
        long frame = i * 7919L % frames;
        read.add(dataset.readShorts(Selection.at(frame, 0, 0).extent(1, SIDE, SIDE)));
      }
    }
    return () -> read.stream().mapToLong(VirtualReads::sum).sum();
  }

  private Race.Check one() {
    try (H5File file = H5File.open(folder.resolve("mappings.h5"))) {
      int[] read = file.dataset("v").readInts(Selection.at(mappings / 2, 0).extent(1, WIDTH));
      return () -> Arrays.stream(read).asLongStream().sum();
    }
  }

  /** Returns the sum of unsigned values. */
  static long sum(short[] values) {
    long sum = 0;
    for (short value : values) {
      sum += Short.toUnsignedInt(value);
    }
    return sum;
  }
}
