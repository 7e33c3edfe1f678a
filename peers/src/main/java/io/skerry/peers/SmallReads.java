package io.skerry.peers;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Compares reads of single elements, parts of rows and small squares at random positions in
 * datasets whose chunks are all in the cache. Skerry and the HDF5 library read on one thread and on
 * several threads, h5py on one thread only. Only Skerry reads the sparse dataset.
 *
 * <p>Each task runs in its own JVM, as in JMH, because code that was compiled for one task may be
 * slower in the next.
 */
final class SmallReads {
  /**
   * The number of rows and of columns in each dataset, which has 64 chunks of 256 × 256 elements
   * (256 KiB).
   */
  static final int SIDE = 2048;

  private static final long CHUNK = 256;

  private final SmallOptions options;
  private final String[] args;

  private SmallReads(SmallOptions options, String[] args) {
    this.options = options;
    this.args = args;
  }

  /**
   * Runs the selected tasks and prints their results.
   *
   * @param args the arguments from which the options were parsed
   */
  static void run(SmallOptions options, String[] args) throws IOException, InterruptedException {
    Files.createDirectories(options.folder());
    try {
      write(options.path());
      SmallReads reads = new SmallReads(options, args);
      List<String> printed = new ArrayList<>();
      for (SmallTask task : SmallTask.all()) {
        if (options.only().matcher(task.name()).find()) {
          printed.add(reads.fork(task));
        }
      }
      Report.printTasks("./skerry bench small", args, options.runs(), options.output(), printed);
    } finally {
      Files.deleteIfExists(options.path());
    }
  }

  /**
   * Runs a task in a new JVM with the options of this JVM, and returns the task's output if it is
   * JSON. If the output is a table, the new JVM prints it directly, and the result is empty.
   */
  private String fork(SmallTask task) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(ProcessHandle.current().info().command().orElse("java"));
    command.addAll(ManagementFactory.getRuntimeMXBean().getInputArguments());
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    command.addAll(List.of(Peers.class.getName(), "small-task", task.name()));
    command.addAll(List.of(args));
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    if (!options.json()) {
      builder.redirectOutput(ProcessBuilder.Redirect.INHERIT);
    }
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("a task failed: task=" + task.name());
    }
    return printed.strip();
  }

  private static void write(Path path) {
    DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(SIDE, SIDE));
    DatasetSpec dense = plain.chunked(CHUNK, CHUNK);
    SplittableRandom random = new SplittableRandom(1);
    int[] values = random.ints((long) SIDE * SIDE, 0, 1000).toArray();
    try (H5File file = H5File.create(path)) {
      file.createDataset("plain", dense).write(Selection.all(), values);
      file.createDataset("deflate", dense.filters(Filters.deflate(Layout.LEVEL)))
          .write(Selection.all(), values);
      Selection spots = spots(random);
      int defined = Math.toIntExact(spots.count(Shape.of(SIDE, SIDE)));
      file.createDataset(
              "sparse", plain.sparse(CHUNK, CHUNK).filters(Filters.deflate(Layout.LEVEL)))
          .write(spots, random.ints(defined, 0, 1000).toArray());
    }
  }

  /**
   * Returns runs of 8 elements in random rows, which together cover about a twentieth of the
   * dataset.
   */
  private static Selection spots(SplittableRandom random) {
    List<Box> rows = new ArrayList<>();
    for (int i = 0; i < SIDE * SIDE / 8 / 20; i++) {
      long row = random.nextInt(SIDE);
      long column = random.nextInt(SIDE - 8);
      rows.add(new Box(new long[] {row, column}, new long[] {row + 1, column + 8}));
    }
    return Selection.blocks(rows);
  }
}
