package io.skerry.peers;

import io.skerry.benchmarks.KeptPixels;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares containers with Skerry's own HDF5 files, with RocksDB alone and, at a location in a
 * cluster, with {@code rados bench}: the writes and reads of the detector job, key-value pairs in a
 * map, and tiles of 4 MiB. After each flush, and after each RocksDB batch, everything that the task
 * has written is on disk. Reads are served by the page cache; their times include opening.
 */
final class IodBenchmark {
  private final IodOptions options;
  private final List<Race> races = new ArrayList<>();
  private final List<String[]> pairs = new ArrayList<>();

  IodBenchmark(IodOptions options) {
    this.options = options;
    for (StoreLocation container : options.containers("")) {
      pairs.add(new String[] {container.name(), "hdf5"});
      pairs.add(new String[] {container.name(), "rocksdb"});
      pairs.add(new String[] {container.name(), "rados bench"});
    }
  }

  /** A task that writes and reads the same values in several stores. */
  interface Task {
    /** Returns a race of writes. */
    Race writes(String name) throws IOException;

    /** Returns a race of reads of the values that the writes have stored. */
    Race reads(String name) throws IOException;

    /** Deletes the files. */
    void delete() throws IOException;
  }

  /** Runs all tasks and prints their results. */
  void run(String[] args) throws IOException {
    Files.createDirectories(options.folder());
    run("spots", () -> new IodFrames(options, "spots", KeptPixels.ROWS));
    run("region", () -> new IodFrames(options, "region", KeptPixels.REGION));
    run("map", () -> new IodMap(options));
    run("tiles", () -> new IodTiles(options));
    Report.print("./skerry bench iod", args, options.runs(), options.output(), races, pairs);
  }

  /** Creates a task, which may need much memory. */
  @FunctionalInterface
  private interface Maker {
    Task make() throws IOException;
  }

  private void run(String name, Maker maker) throws IOException {
    if (!options.only().matcher(name).find()) {
      return;
    }
    Task task = maker.make();
    try {
      show(task.writes(name + "-write").run(options.runs()));
      show(task.reads(name + "-read").run(options.runs()));
    } finally {
      task.delete();
    }
  }

  private void show(Race race) {
    races.add(race);
    if (!options.json()) {
      System.out.println(race.table(pairs));
    }
  }
}
