package io.skerry.peers;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Compares collective reads of a virtual dataset by Skerry under {@code mpirun} with as many serial
 * processes of h5py, and with the parallel HDF5 library under {@code mpirun}, which is called
 * through h5py. Parallel HDF5 1.10.8 refuses to read a virtual dataset in a file that several ranks
 * have opened collectively; in that case, each of its ranks opens the file by itself. The programs
 * alternate. Each run opens the file. The first runs of each program in a round are not counted.
 *
 * @param ranks the number of ranks, and of serial processes
 * @param runs the number of counted runs of each program in a round
 * @param folder the folder with {@code frames.h5}, which is created if it does not exist
 * @param frames the number of source files
 * @param mappings the number of mappings of the other virtual dataset in the folder
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record VirtualRanks(
    int ranks,
    int runs,
    Path folder,
    int frames,
    int mappings,
    Options.Output output,
    Pattern only) {
  private static final String SCRIPT = "virtual_peer.py";
  private static final int ROUNDS = 2;
  private static final int WARM_UPS = 3;

  /**
   * Runs the selected tasks, in which each rank or process reads its share of the frames or all
   * frames, and prints their results.
   */
  void run() throws IOException, InterruptedException {
    List<String> tasks =
        Stream.of("share", "whole").filter(task -> only.matcher("ranks-" + task).find()).toList();
    if (tasks.isEmpty()) {
      return;
    }
    Path script = folder.resolve(SCRIPT);
    if (!Files.exists(folder.resolve("frames.h5"))) {
      try (SerialReaders creator = new SerialReaders(1, folder, frames, mappings)) {
        String unused = creator.start();
      }
    }
    try (InputStream in =
        Objects.requireNonNull(VirtualRanks.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
    }
    for (String task : tasks) {
      print(measure(task, script));
    }
  }

  /**
   * The results of a task.
   *
   * @param serialVersion the version of HDF5 of the serial processes
   * @param parallel the output of parallel HDF5 in the last round
   * @param parallelSeconds the times of parallel HDF5 in all rounds
   */
  private record Results(
      String task,
      List<Double> skerry,
      String serialVersion,
      List<Double> serial,
      ParallelHdf5 parallel,
      List<Double> parallelSeconds) {}

  private Results measure(String task, Path script) throws IOException, InterruptedException {
    List<Double> skerry = new ArrayList<>();
    List<Double> processes = new ArrayList<>();
    List<Double> together = new ArrayList<>();
    ParallelHdf5 parallel;
    String version;
    int round = 0;
    do {
      parallel = parallel(script, task);
      parallel.seconds().stream().skip(WARM_UPS).forEach(together::add);
      List<String[]> ours =
          lines(
              MpirunChild.java(VirtualRank.class, ranks),
              task,
              // A setting that ./skerry uses for its jobs.
              Map.of("OMPI_MCA_mpi_yield_when_idle", "1"));
      ours.stream().skip(WARM_UPS).forEach(line -> skerry.add(Double.valueOf(line[0])));
      long sum = Long.parseLong(ours.getLast()[1]);
      // The HDF5 library needs more than half a megabyte of memory for each open file, and a
      // process
      // that has closed its files keeps that memory. Therefore only one of the three programs runs
      // at a time.
      try (SerialReaders serial = new SerialReaders(ranks, folder, frames, mappings)) {
        version = serial.start();
        for (int run = -WARM_UPS; run < runs; run++) {
          SerialReaders.Taken taken = serial.read(task);
          check(task, sum, "serial h5py", taken.sum());
          if (run >= 0) {
            processes.add(taken.seconds());
          }
        }
      }
      for (long theirs : parallel.sums()) {
        check(task, sum, "parallel HDF5", theirs);
      }
      round++;
    } while (round < ROUNDS);
    return new Results(task, skerry, version, processes, parallel, together);
  }

  private ParallelHdf5 parallel(Path script, String task) throws IOException, InterruptedException {
    List<String> program = MpirunChild.python(script.toString());
    try {
      var unused =
          new ProcessBuilder(program.getFirst(), "--version")
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor();
    } catch (IOException notStarted) {
      return ParallelHdf5.absent(String.valueOf(notStarted.getMessage()));
    }
    return ParallelHdf5.parse(lines(program, task, Map.of()));
  }

  private static void check(String task, long skerry, String library, long sum) {
    if (sum != skerry) {
      throw new IllegalStateException(
          "different values: task=" + task + " skerry=" + skerry + " " + library + "=" + sum);
    }
  }

  private List<String[]> lines(List<String> program, String task, Map<String, String> settings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(task, folder.resolve("frames.h5").toString()));
    command.add(Integer.toString(WARM_UPS + runs));
    return MpirunChild.lines(ranks, command, settings);
  }

  private static double median(List<Double> seconds) {
    return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
  }

  private void print(Results results) {
    System.out.print(output == Options.Output.JSON ? json(results) + "\n" : table(results));
  }

  private String table(Results results) {
    String name = String.format(Locale.ROOT, "%-20s ", "virtual-ranks-" + results.task());
    double skerry = median(results.skerry());
    StringBuilder text = new StringBuilder(name);
    text.append(String.format(Locale.ROOT, "%d ranks of skerry: %.4f s%n", ranks, skerry));
    text.append(name);
    String processes = ranks + " serial processes of h5py on HDF5 " + results.serialVersion();
    text.append(compared(processes, skerry, results.serial()));
    text.append(name);
    ParallelHdf5 parallel = results.parallel();
    if (parallel.version().isEmpty()) {
      return text.append("no comparison with parallel HDF5, because ")
          .append(MpirunChild.python(SCRIPT).getFirst())
          .append(" does not have it (python3-h5py-mpi, python3-mpi4py): ")
          .append(parallel.refusal().orElse(""))
          .append(System.lineSeparator())
          .toString();
    }
    String library = "parallel HDF5 " + parallel.version().orElseThrow();
    String program = ranks + " ranks of " + library;
    if (parallel.refusal().isPresent()) {
      text.append(library)
          .append(" refuses to read a virtual dataset on several ranks together: ")
          .append(parallel.refusal().orElseThrow())
          .append(System.lineSeparator())
          .append(name);
      program += ", each of which opens the file by itself";
    }
    return text.append(compared(program, skerry, results.parallelSeconds())).toString();
  }

  private static String compared(String program, double skerry, List<Double> theirs) {
    return String.format(
        Locale.ROOT,
        "%s: %.4f s; skerry is %.2f times as fast%n",
        program,
        median(theirs),
        median(theirs) / skerry);
  }

  private String json(Results results) {
    ParallelHdf5 parallel = results.parallel();
    double skerry = median(results.skerry());
    double serial = median(results.serial());
    List<String> members = new ArrayList<>();
    members.add("\"task\": " + Json.text("virtual-ranks-" + results.task()));
    members.add("\"ranks\": " + ranks);
    members.add(number("skerrySeconds", skerry));
    members.add("\"serialHdf5\": " + Json.text(results.serialVersion()));
    members.add(number("serialSeconds", serial));
    members.add(number("timesAsFastAsSerial", serial / skerry));
    parallel
        .version()
        .ifPresentOrElse(
            version -> {
              double together = median(results.parallelSeconds());
              members.add("\"hdf5\": " + Json.text(version));
              members.add(
                  "\"hdf5Opens\": " + (parallel.refusal().isEmpty() ? "\"mpio\"" : "\"alone\""));
              parallel
                  .refusal()
                  .ifPresent(reason -> members.add("\"hdf5Refused\": " + Json.text(reason)));
              members.add(number("hdf5Seconds", together));
              members.add(number("timesAsFast", together / skerry));
            },
            () -> members.add("\"hdf5Absent\": " + Json.text(parallel.refusal().orElse(""))));
    return Json.object(members);
  }

  private static String number(String name, double value) {
    return String.format(Locale.ROOT, "\"%s\": %.4f", name, value);
  }
}
