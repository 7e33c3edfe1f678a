package io.skerry.mpi.internal.launch;

import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;

/**
 * What {@code main} was given. MPJ Express's {@code mpjrun} puts three arguments before the
 * program's own: the rank, the configuration (the number of ranks, or a text that tells it) and the
 * device. Other launchers say such things in the environment.
 *
 * @param launcher what the launcher has put in front; empty if nothing
 * @param program the program's own
 */
public record ProgramArguments(List<String> launcher, List<String> program) {
  /** The variable that {@link #addTo} adds. */
  public static final String RANK = "SKERRY_MPJRUN_RANK";

  private static final int FROM_MPJRUN = 3;
  private static final String NUMBER = "\\d{1,9}";

  /** What MPJ Express calls its ways to pass messages. */
  private static final Set<String> DEVICES =
      Set.of("smpdev", "niodev", "hybdev", "mxdev", "native");

  /** The device whose ranks are threads of one JVM. */
  private static final String THREADS = "smpdev";

  public ProgramArguments {
    launcher = List.copyOf(launcher);
    program = List.copyOf(program);
  }

  /** Tells the two apart. */
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

  /** Whether {@code mpjrun} started the program. */
  public boolean fromMpjrun() {
    return !launcher.isEmpty();
  }

  /** The rank that the launcher has told. */
  public OptionalInt rank() {
    return fromMpjrun() ? OptionalInt.of(Integer.parseInt(launcher.get(0))) : OptionalInt.empty();
  }

  /** MPJ Express's device, or nothing. */
  public String device() {
    return fromMpjrun() ? launcher.get(2) : "";
  }

  /** Whether other ranks are threads of this process, each with classes of its own. */
  public boolean sharesProcess() {
    return device().equals(THREADS);
  }

  /** The program's own as an array. */
  public String[] toArray() {
    return program.toArray(String[]::new);
  }

  /** The environment with this rank in it, if only the arguments tell it. */
  public Map<String, String> addTo(Map<String, String> environment) {
    if (rank().isEmpty()) {
      return environment;
    }
    var more = new HashMap<>(environment);
    more.put(RANK, Integer.toString(rank().getAsInt()));
    return Map.copyOf(more);
  }

  /**
   * Ends the process with an exit code, when the program is through. A rank that shares its process
   * with others returns instead: they may not be through, and {@code mpjrun} asks for no code.
   */
  public void exit(int code) {
    if (!sharesProcess()) {
      System.exit(code);
    }
  }
}
