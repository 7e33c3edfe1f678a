package io.skerry.peers;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Compares collective writes and reads under {@code mpirun} by Skerry and by the parallel HDF5
 * library, which is called through h5py ({@code python3-h5py-mpi}). Both libraries use the same
 * values and chunks, and divide the rows among the ranks in the same way. Their jobs alternate,
 * because the speed of the machine may change over time. Each {@code mpirun} job performs a task
 * many times. The first runs of a job are not counted, because the JVM is still compiling; the time
 * of the very first run is reported separately.
 *
 * <p>The rate of a write is the size of the dataset divided by the time from the call until the
 * file is closed; the rate of a read is the size of the dataset divided by the time of the call.
 */
final class ParallelBenchmark {
  private static final String SCRIPT = "parallel_peer.py";

  private final ParallelOptions options;
  private final Path values;
  private final Path script;
  private final List<String> results = new ArrayList<>();

  /** The library that a job uses. */
  private enum Side {
    SKERRY,
    HDF5
  }

  /**
   * The results of one {@code mpirun} job, as printed by rank 0.
   *
   * @param first the duration of the first run in seconds
   * @param counted the durations of the counted runs in seconds
   * @param sum the sum of the values that were read; 0 for a write
   * @param fileBytes the size of the file in bytes
   */
  private record Taken(double first, List<Double> counted, long sum, long fileBytes) {}

  /** Returns the median of the counted times of all jobs of one side. */
  private static double median(List<Taken> all) {
    double[] sorted =
        all.stream().flatMap(one -> one.counted().stream()).mapToDouble(d -> d).sorted().toArray();
    return sorted[sorted.length / 2];
  }

  private ParallelBenchmark(ParallelOptions options) {
    this.options = options;
    this.values = options.folder().resolve("values.f4");
    this.script = options.folder().resolve(SCRIPT);
  }

  /**
   * Runs the selected tasks and prints their results.
   *
   * @param args the arguments from which the options were parsed
   */
  static void run(ParallelOptions options, String[] args) throws IOException, InterruptedException {
    Files.createDirectories(options.folder());
    ParallelBenchmark benchmark = new ParallelBenchmark(options);
    try {
      benchmark.prepare();
      for (int ranks : options.ranks()) {
        for (ParallelTask task : ParallelTask.all()) {
          if (options.only().matcher(task.name()).find()) {
            benchmark.compare(task, ranks);
          }
        }
      }
      Report.printTasks(
          "./skerry bench parallel", args, options.runs(), options.output(), benchmark.results);
    } finally {
      Files.deleteIfExists(benchmark.values);
      Files.deleteIfExists(benchmark.script);
    }
  }

  /**
   * Writes the script and the file of values. The values are integers with detector noise, stored
   * as float32; deflate compresses them to about a third of their size.
   */
  private void prepare() throws IOException {
    SplittableRandom random = new SplittableRandom(0x5eed);
    ByteBuffer bytes = ByteBuffer.allocate(1 << 20).order(ByteOrder.LITTLE_ENDIAN);
    try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(values))) {
      for (int mib = 0; mib < options.mib(); mib++) {
        bytes.clear();
        while (bytes.hasRemaining()) {
          bytes.putFloat((float) Math.round(50 * random.nextGaussian()));
        }
        out.write(bytes.array());
      }
    }
    try (InputStream in =
        Objects.requireNonNull(ParallelBenchmark.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  private void compare(ParallelTask task, int ranks) throws IOException, InterruptedException {
    Path ours = options.folder().resolve("skerry.h5");
    Path theirs = options.folder().resolve("hdf5.h5");
    try {
      if (task.way() == ParallelTask.Way.READ) {
        // Both sides read a file that the HDF5 library has written.
        ParallelTask write =
            new ParallelTask(ParallelTask.Way.WRITE, task.storage(), ParallelTask.Shift.ALIGNED);
        var unused = run(Side.HDF5, write, ranks, theirs, 1);
      }
      Path file = task.way() == ParallelTask.Way.READ ? theirs : ours;
      List<Taken> hdf5 = new ArrayList<>();
      List<Taken> skerry = new ArrayList<>();
      int runs = options.warmup() + options.runs();
      for (int round = 0; round < options.rounds(); round++) {
        hdf5.add(run(Side.HDF5, task, ranks, theirs, runs));
        skerry.add(run(Side.SKERRY, task, ranks, file, runs));
        if (hdf5.getLast().sum() != skerry.getLast().sum()) {
          throw new IllegalStateException(
              "different values: task=" + task.name() + " hdf5=" + hdf5 + " skerry=" + skerry);
        }
      }
      tell(task, ranks, skerry, hdf5);
    } finally {
      Files.deleteIfExists(ours);
      Files.deleteIfExists(theirs);
    }
  }

  private void tell(ParallelTask task, int ranks, List<Taken> ours, List<Taken> theirs) {
    String name = task.name() + "-" + ranks;
    double skerry = median(ours);
    double hdf5 = median(theirs);
    double ratio = hdf5 / skerry;
    double size = (double) ours.getFirst().fileBytes() / theirs.getFirst().fileBytes();
    double skerryFirst = ours.getFirst().first();
    double hdf5First = theirs.getFirst().first();
    results.add(
        String.format(
            Locale.ROOT,
            "{\"task\": \"%s\", \"ranks\": %d, \"skerrySeconds\": %.4f, \"hdf5Seconds\": %.4f,"
                + " \"skerryFirst\": %.4f, \"hdf5First\": %.4f, \"timesAsFast\": %.3f,"
                + " \"size\": %.4f}",
            task.name(),
            ranks,
            skerry,
            hdf5,
            skerryFirst,
            hdf5First,
            ratio,
            size));
    if (!options.json()) {
      System.out.printf(
          Locale.ROOT,
          "%-24s skerry %7.1f MiB/s (first %7.1f)  hdf5 %7.1f MiB/s (first %7.1f)"
              + "  %.2f times as fast, %.4f of its size%n",
          name,
          options.mib() / skerry,
          options.mib() / skerryFirst,
          options.mib() / hdf5,
          options.mib() / hdf5First,
          ratio,
          size);
    }
  }

  private Taken run(Side side, ParallelTask task, int ranks, Path file, int runs)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program(side));
    command.addAll(List.of(task.name(), file.toString(), values.toString()));
    command.addAll(List.of(Integer.toString(options.mib()), Integer.toString(runs)));
    // The settings for Open MPI that ./skerry uses for its jobs.
    Map<String, String> settings =
        side == Side.SKERRY
            ? Map.of(
                "OMPI_MCA_fbtl_posix_read_datasieving", "0",
                "OMPI_MCA_fbtl_posix_write_datasieving", "0",
                "OMPI_MCA_mpi_yield_when_idle", "1")
            : Map.of();
    List<String[]> lines = MpirunChild.lines(ranks, command, settings);
    List<Double> seconds = lines.stream().map(fields -> Double.parseDouble(fields[1])).toList();
    return new Taken(
        seconds.getFirst(),
        seconds.subList(Math.min(options.warmup(), seconds.size()), seconds.size()),
        Long.parseLong(lines.getLast()[2]),
        Files.size(file));
  }

  private List<String> program(Side side) {
    return switch (side) {
      case HDF5 -> MpirunChild.python(script.toString());
      case SKERRY -> MpirunChild.java(ParallelRank.class);
    };
  }
}
