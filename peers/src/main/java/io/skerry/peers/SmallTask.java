package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.H5File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A comparison of reads of boxes of one size from one dataset.
 *
 * <p>Every library has a cache that holds all chunks, and has read all boxes before the measurement
 * begins. The time per read is the elapsed time divided by the number of reads on all threads, so
 * it halves if two threads do not slow each other down.
 *
 * @param dataset the name of the dataset in the file
 */
record SmallTask(String dataset, Boxes boxes) {
  private static final String SPARSE = "sparse";

  /** The table name of Skerry with a new array for each read, like h5py. */
  private static final String ARRAYS = "skerry, arrays";

  /** The table name of Skerry with the same memory for each read, like the HDF5 library in C. */
  private static final String GIVEN = "skerry, memory";

  /** The number of uncounted rounds, during which the JVM compiles the code. */
  private static final int WARM_UPS = 12;

  /** Returns all tasks. */
  static List<SmallTask> all() {
    List<SmallTask> all = new ArrayList<>();
    for (String dataset : List.of("plain", "deflate", SPARSE)) {
      for (Boxes boxes : List.of(Boxes.ONE, Boxes.ROW, Boxes.SQUARE)) {
        all.add(new SmallTask(dataset, boxes));
      }
    }
    return all;
  }

  /**
   * Returns the task with the given name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static SmallTask named(String name) {
    return all().stream()
        .filter(task -> task.name().equals(name))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("unknown task: name=" + name));
  }

  /** Returns a name such as {@code plain-row}. */
  String name() {
    return dataset + "-" + boxes.name();
  }

  /** Runs the task and prints the results as a table or a JSON object. */
  void run(SmallOptions options) throws IOException {
    new Run(this, options).run();
  }

  /** One run of a task. */
  private static final class Run {
    private final String dataset;
    private final Boxes boxes;
    private final SmallOptions options;
    private final Race race;
    private final Throughput throughput;
    private final String together;

    private Run(SmallTask task, SmallOptions options) {
      this.dataset = task.dataset();
      this.boxes = task.boxes();
      this.options = options;
      this.race = new Race(task.name(), WARM_UPS, Race.Unit.NANOSECONDS);
      this.throughput = new Throughput(boxes.places(), options.millis());
      this.together = ", " + options.threads() + " threads";
    }

    private void run() throws IOException {
      try (H5File file = H5File.open(options.path())) {
        Dataset open = file.dataset(dataset);
        add(ARRAYS, () -> new SkerryBoxes(open, boxes));
        add(GIVEN, () -> new SkerryGivenMemory(open, boxes));
        if (dataset.equals(SPARSE)) {
          race.run(options.runs());
        } else {
          runWithOthers();
        }
      }
      List<String[]> pairs =
          List.of(
              new String[] {GIVEN, "libhdf5"},
              new String[] {ARRAYS, "libhdf5"},
              new String[] {ARRAYS, "h5py"},
              new String[] {GIVEN + together, "libhdf5" + together},
              new String[] {GIVEN + together, GIVEN},
              new String[] {"libhdf5" + together, "libhdf5"});
      System.out.println(options.json() ? race.json(pairs) : race.table(pairs));
    }

    private void add(String name, Supplier<BoxReader> reader) {
      race.add(name, () -> throughput.run(1, reader));
      if (options.threads() > 1) {
        race.add(name + together, () -> throughput.run(options.threads(), reader));
      }
    }

    private void runWithOthers() throws IOException {
      Path list = options.folder().resolve("places.bin");
      Files.write(list, bytes(throughput.places()));
      try (Libhdf5Boxes libhdf5 = new Libhdf5Boxes(options.path(), dataset);
          PythonChild h5py =
              new PythonChild(
                  "small_reads.py", options.path(), dataset, list, boxes.rows(), boxes.columns())) {
        add("libhdf5", () -> libhdf5.reader(boxes));
        race.add(
            "h5py",
            () -> {
              String[] answer = h5py.ask("read " + options.millis()).split(" ");
              return new Race.Timed(Double.parseDouble(answer[0]), () -> Long.parseLong(answer[1]));
            });
        race.run(options.runs());
      } finally {
        Files.deleteIfExists(list);
      }
    }

    /** Returns the row and the column of each box as little-endian i32. */
    private static byte[] bytes(int[][] places) {
      ByteBuffer bytes = ByteBuffer.allocate(8 * places.length).order(ByteOrder.LITTLE_ENDIAN);
      for (int[] place : places) {
        bytes.putInt(place[0]).putInt(place[1]);
      }
      return bytes.array();
    }
  }
}
