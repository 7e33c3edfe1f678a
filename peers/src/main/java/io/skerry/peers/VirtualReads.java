package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.selection.Selection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Pattern;

/**
 * Compares reads of virtual datasets by Skerry and by h5py: of a dataset with many source files
 * that contain one frame each, by one rank and by several, and of a dataset with many mappings to
 * one file. Each run opens the file.
 *
 * @param frames the number of source files
 * @param mappings the number of mappings to one file
 * @param runs the number of counted runs
 * @param ranks the number of ranks of the collective reads
 * @param folder the folder of the files, which h5py creates if they do not exist
 * @param output the format of the results
 * @param only selects the tasks whose name contains it
 */
record VirtualReads(
    int frames,
    int mappings,
    int runs,
    int ranks,
    Path folder,
    Options.Output output,
    Pattern only) {
  static final String USAGE =
      """
      ./skerry bench virtual [--frames 10000] [--mappings 100000] [--runs 5] [--ranks 2]
                             [--dir FOLDER] [--json] [--only PATTERN]
      """;

  private static final int WARM_UPS = 3;
  private static final int SIDE = 64;
  private static final int WIDTH = 16;
  private static final int ROWS = 1000;

  static VirtualReads parse(String[] args) {
    int frames = 10_000;
    int mappings = 100_000;
    int runs = 5;
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
        case "--runs" -> runs = Options.number(name, rest);
        case "--only" -> only = Pattern.compile(Options.value(name, rest));
        case "--dir" -> folder = Path.of(Options.value(name, rest));
        default -> throw new IllegalArgumentException("unknown option: " + name);
      }
    }
    Path files = folder.resolve(frames + "-" + mappings);
    return new VirtualReads(frames, mappings, runs, ranks, files, output, only);
  }

  /** Runs and prints all tasks. */
  void run() throws IOException, InterruptedException {
    Files.createDirectories(folder);
    try (PythonChild h5py = new PythonChild("virtual_reads.py", folder, frames, mappings)) {
      race(h5py, "whole", this::whole);
      race(h5py, "rows", this::rows);
      race(h5py, "one", this::one);
    }
    new VirtualRanks(ranks, runs, folder, output, only).run();
  }

  private void race(PythonChild h5py, String task, Race.Runner ours) throws IOException {
    if (!only.matcher(task).find()) {
      return;
    }
    // h5py runs first, because it creates the files.
    h5py.ask(task);
    Race race = new Race("virtual-" + task, WARM_UPS);
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
