package io.skerry.mpi.internal.launch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * The arguments of {@code main}. MPJ Express's {@code mpjrun} inserts three arguments before those
 * of the program: the rank, the configuration (the number of ranks, or a text that contains it) and
 * the device. Other launchers pass such values in the environment.
 *
 * @param launcher the arguments that the launcher has inserted; empty if none
 * @param program the arguments of the program
 */
public record ProgramArguments(List<String> launcher, List<String> program) {
  /** The environment variable that {@link #addTo} adds. */
  public static final String RANK = "SKERRY_MPJRUN_RANK";

  private static final int FROM_MPJRUN = 3;
  private static final String NUMBER = "\\d{1,9}";

  /** The devices of MPJ Express, which are its transports. */
  private static final Set<String> DEVICES =
      Set.of("smpdev", "niodev", "hybdev", "mxdev", "native");

  /** The device whose ranks are threads of one JVM. */
  private static final String THREADS = "smpdev";

  public ProgramArguments {
    launcher = List.copyOf(launcher);
    program = List.copyOf(program);
  }

  /** Separates the arguments of the launcher from those of the program. */
  public static ProgramArguments of(String... arguments) {
    var all = Arrays.asList(arguments);
    boolean launched =
        all.size() >= FROM_MPJRUN
            && all.get(0).matches(NUMBER)
            && DEVICES.contains(all.get(2))
            && (!all.get(2).equals(THREADS) || all.get(1).matches(NUMBER));
    int own = launched ? FROM_MPJRUN : 0;
    return new ProgramArguments(all.subList(0, own), all.subList(own, all.size()));
  }

  /** Returns whether {@code mpjrun} started the program. */
  public boolean fromMpjrun() {
    return !launcher.isEmpty();
  }

  /** Returns the rank passed by the launcher; empty if there is none. */
  public OptionalInt rank() {
    return fromMpjrun() ? OptionalInt.of(Integer.parseInt(launcher.get(0))) : OptionalInt.empty();
  }

  /** Returns the device of MPJ Express; empty if there is none. */
  public String device() {
    return fromMpjrun() ? launcher.get(2) : "";
  }

  /**
   * Returns whether all ranks are threads of one process, each with its own copy of the classes.
   */
  public boolean sharesProcess() {
    return device().equals(THREADS);
  }

  /** Returns the arguments of the program as an array. */
  public String[] toArray() {
    return program.toArray(String[]::new);
  }

  /**
   * Returns the environment, with the rank of this process added if the launcher passed it as an
   * argument.
   */
  public Map<String, String> addTo(Map<String, String> environment) {
    if (rank().isEmpty()) {
      return environment;
    }
    var more = new HashMap<>(environment);
    more.put(RANK, Integer.toString(rank().getAsInt()));
    return Map.copyOf(more);
  }

  /**
   * Ends the process with the given exit code. Must be the last call of the program. If the rank
   * shares its process with other ranks, this method returns instead, since the other ranks may not
   * have finished. The exit code is not needed in that case, since {@code mpjrun} ignores exit
   * codes.
   */
  public void exit(int code) {
    if (!sharesProcess()) {
      System.exit(code);
    }
  }
}
