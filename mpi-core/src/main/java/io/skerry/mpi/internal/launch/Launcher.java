package io.skerry.mpi.internal.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * The launcher that started the MPI job of this process, as described by the environment of the
 * process.
 *
 * @param kind the kind of launcher
 * @param rank the rank of this process in the job, if known
 * @param size the number of processes in the job, if known
 */
public record Launcher(Kind kind, OptionalInt rank, OptionalInt size) {

  /**
   * Kinds of launchers, distinguished by the environment variables or program arguments that they
   * pass to a process.
   */
  public enum Kind {
    /** Open MPI's {@code mpirun}. */
    OPEN_MPI("Open MPI's mpirun"),
    /** A launcher that uses PMIx, such as {@code srun --mpi=pmix}. */
    PMIX("a PMIx launcher"),
    /** A launcher that uses PMI, such as MPICH's Hydra or {@code srun --mpi=pmi2}. */
    PMI("a PMI launcher such as MPICH's"),
    /** MPJ Express's {@code mpjrun}, detected by {@link ProgramArguments}. */
    MPJRUN("MPJ Express's mpjrun");

    private final String text;

    Kind(String text) {
      this.text = text;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  private static final List<String> RANKS =
      List.of(ProgramArguments.RANK, "OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK");
  // Slurm also sets other size variables, even for batch scripts; only the variable of a
  // job step is used.
  private static final List<String> SIZES =
      List.of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS");

  /** Returns the launcher that the given environment indicates; empty if it indicates none. */
  public static Optional<Launcher> of(Map<String, String> environment) {
    return kind(environment)
        .map(kind -> new Launcher(kind, number(environment, RANKS), number(environment, SIZES)));
  }

  private static Optional<Kind> kind(Map<String, String> environment) {
    if (environment.containsKey(ProgramArguments.RANK)) {
      return Optional.of(Kind.MPJRUN);
    }
    if (environment.containsKey("OMPI_COMM_WORLD_SIZE")) {
      return Optional.of(Kind.OPEN_MPI);
    }
    if (environment.containsKey("PMIX_RANK")) {
      return Optional.of(Kind.PMIX);
    }
    return environment.containsKey("PMI_RANK") || environment.containsKey("PMI_SIZE")
        ? Optional.of(Kind.PMI)
        : Optional.empty();
  }

  /**
   * Returns whether this process has rank 0 or an unknown rank, and therefore reports failures that
   * all ranks of the job have in common.
   */
  public boolean isFirst() {
    return rank.orElse(0) == 0;
  }

  private static OptionalInt number(Map<String, String> environment, List<String> names) {
    return names.stream()
        .map(name -> environment.getOrDefault(name, ""))
        .filter(value -> value.matches("\\d{1,9}"))
        .mapToInt(Integer::parseInt)
        .findFirst();
  }
}
