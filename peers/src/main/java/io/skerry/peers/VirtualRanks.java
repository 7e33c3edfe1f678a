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

/**
 * Compares collective reads of a virtual dataset under {@code mpirun} by Skerry and by the parallel
 * HDF5 library, which is called through h5py. The two alternate. Each run opens the file. The first
 * runs of each process are not counted.
 *
 * @param ranks the number of ranks
 * @param runs the number of counted runs of each process
 * @param folder the folder with {@code frames.h5}
 * @param output the format of the results
 * @param only a pattern that must occur in the names of the tasks to run
 */
record VirtualRanks(int ranks, int runs, Path folder, Options.Output output, Pattern only) {
  private static final String SCRIPT = "virtual_peer.py";
  private static final int ROUNDS = 2;
  private static final int WARM_UPS = 3;

  /**
   * Runs the selected tasks, in which each rank reads its share of the frames or all frames, and
   * prints their results.
   */
  void run() throws IOException, InterruptedException {
    Path script = folder.resolve(SCRIPT);
    try (InputStream in =
        Objects.requireNonNull(VirtualRanks.class.getResourceAsStream(SCRIPT), SCRIPT)) {
      Files.copy(in, script, StandardCopyOption.REPLACE_EXISTING);
    }
    for (String task : List.of("share", "whole")) {
      if (!only.matcher("ranks-" + task).find()) {
        continue;
      }
      List<Double> ours = new ArrayList<>();
      List<Double> theirs = new ArrayList<>();
      String way = "";
      for (int round = 0; round < ROUNDS; round++) {
        List<String[]> hdf5 = lines(MpirunChild.python(script.toString()), task, Map.of());
        List<String[]> skerry =
            lines(
                MpirunChild.java(VirtualRank.class),
                task,
                // A setting that ./skerry uses for its jobs.
                Map.of("OMPI_MCA_mpi_yield_when_idle", "1"));
        if (!hdf5.getLast()[1].equals(skerry.getLast()[1])) {
          throw new IllegalStateException(
              "different values: task="
                  + task
                  + " hdf5="
                  + hdf5.getLast()[1]
                  + " skerry="
                  + skerry.getLast()[1]);
        }
        way = hdf5.getLast()[2];
        add(hdf5, theirs);
        add(skerry, ours);
      }
      print(task, median(ours), median(theirs), way);
    }
  }

  private List<String[]> lines(List<String> program, String task, Map<String, String> settings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(program);
    command.addAll(List.of(task, folder.resolve("frames.h5").toString()));
    command.add(Integer.toString(WARM_UPS + runs));
    return MpirunChild.lines(ranks, command, settings);
  }

  private static void add(List<String[]> lines, List<Double> seconds) {
    lines.stream().skip(WARM_UPS).forEach(line -> seconds.add(Double.valueOf(line[0])));
  }

  private static double median(List<Double> seconds) {
    return seconds.stream().sorted().skip(seconds.size() / 2).findFirst().orElseThrow();
  }

  /**
   * Prints the results of a task.
   *
   * @param way the way in which the ranks that use the HDF5 library open the file
   */
  private void print(String task, double skerry, double hdf5, String way) {
    String name = "virtual-ranks-" + task;
    System.out.printf(
        Locale.ROOT,
        output == Options.Output.JSON
            ? "{\"task\": \"%s\", \"ranks\": %d, \"skerrySeconds\": %.4f, \"hdf5Seconds\": %.4f,"
                + " \"hdf5Opens\": \"%s\", \"timesAsFast\": %.3f}%n"
            : "%-20s ranks %d  skerry %.4f s  hdf5 %.4f s (%s)  %.2f times as fast%n",
        name,
        ranks,
        skerry,
        hdf5,
        way,
        hdf5 / skerry);
  }
}
