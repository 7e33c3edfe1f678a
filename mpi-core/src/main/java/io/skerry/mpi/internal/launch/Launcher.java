package io.skerry.mpi.internal.launch;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * What a launcher of MPI jobs said of this process in its environment.
 *
 * @param kind who launched
 * @param rank of this process in the job, if it was told
 * @param size number of processes of the job, if it was told
 */
public record Launcher(Kind kind, OptionalInt rank, OptionalInt size) {

  /** Launchers, by how they introduce processes to each other. */
  public enum Kind {
    /** Open MPI's {@code mpirun}. */
    OPEN_MPI("Open MPI's mpirun"),
    /** Something that speaks PMIx, such as {@code srun --mpi=pmix}. */
    PMIX("a PMIx launcher"),
    /** Something that speaks PMI, such as MPICH's Hydra or {@code srun --mpi=pmi2}. */
    PMI("a PMI launcher such as MPICH's"),
    /** MPJ Express's {@code mpjrun}, which {@link ProgramArguments} tells of. */
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
  // Slurm tells of sizes in a step only; a batch script has the other variables as well.
  private static final List<String> SIZES =
      List.of("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "SLURM_STEP_NUM_TASKS");

  /** The launcher that an environment tells of; empty for a process started by hand. */
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

  /** Whether this process may speak for all of a job in which every rank meets the same failure. */
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
