package io.skerry.peers;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The lines that rank 0 of {@code virtual_peer.py} prints.
 *
 * @param version the version of the parallel HDF5 library; empty if Python does not have it
 * @param refusal the reason why Python does not have the library, or why its ranks cannot read
 *     together; empty if they can
 * @param seconds the times of the runs in seconds
 * @param sums the sums of the values of the runs
 */
record ParallelHdf5(
    Optional<String> version, Optional<String> refusal, List<Double> seconds, List<Long> sums) {
  /** Returns the result if the program cannot be started. */
  static ParallelHdf5 absent(String reason) {
    return new ParallelHdf5(Optional.empty(), Optional.of(reason), List.of(), List.of());
  }

  /** Parses the lines, each of which is split at its spaces. */
  static ParallelHdf5 parse(List<String[]> lines) {
    Optional<String> version = Optional.empty();
    Optional<String> refusal = Optional.empty();
    List<Double> seconds = new ArrayList<>();
    List<Long> sums = new ArrayList<>();
    for (String[] fields : lines) {
      String rest = String.join(" ", fields).substring(fields[0].length()).strip();
      switch (fields[0]) {
        case "hdf5" -> version = Optional.of(rest);
        case "absent", "refused" -> refusal = Optional.of(rest);
        case "run" -> {
          seconds.add(Double.valueOf(fields[1]));
          sums.add(Long.valueOf(fields[2]));
        }
        default ->
            throw new IllegalStateException("unknown line of a rank: " + String.join(" ", fields));
      }
    }
    if (version.isEmpty() && refusal.isEmpty()) {
      throw new IllegalStateException("virtual_peer.py printed nothing");
    }
    return new ParallelHdf5(version, refusal, List.copyOf(seconds), List.copyOf(sums));
  }
}
