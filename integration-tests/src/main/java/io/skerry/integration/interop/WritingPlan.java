package io.skerry.integration.interop;

import io.skerry.H5File;
import io.skerry.integration.random.FileForm;
import io.skerry.mpi.LocalRanks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * What is written into one file, drawn from a seed before anything is written.
 *
 * @param seed it was drawn from
 * @param form of the file
 * @param sessions the file is opened anew for each
 * @param root what must be found in the end
 * @param foreignFilters whether it uses filters that a bare HDF5 does not have
 */
public record WritingPlan(
    long seed, FileForm form, List<Session> sessions, Expectation root, boolean foreignFilters) {

  /**
   * From opening to closing.
   *
   * @param ranks as threads of this process
   * @param steps in order
   */
  public record Session(int ranks, List<WritingStep> steps) {
    /** Copies the steps. */
    public Session {
      steps = List.copyOf(steps);
    }
  }

  /** Copies the sessions. */
  public WritingPlan {
    sessions = List.copyOf(sessions);
  }

  /** The plan of a seed. */
  public static WritingPlan of(long seed, FileForm form) {
    return new PlanGenerator(seed, form).plan();
  }

  /**
   * Writes the file.
   *
   * @throws IllegalStateException that names the step which failed
   */
  public void write(Path path) {
    for (int i = 0; i < sessions.size(); i++) {
      write(path, i);
    }
  }

  private void write(Path path, int number) {
    Session session = sessions.get(number);
    LocalRanks.run(
        session.ranks,
        world -> {
          try (H5File file =
              number == 0
                  ? H5File.create(path, world, form.options())
                  : H5File.openForWriting(path, world, form.options())) {
            for (WritingStep step : session.steps) {
              try {
                step.action().perform(file, world.rank());
              } catch (RuntimeException e) {
                file.discard();
                throw new IllegalStateException(
                    "seed=" + seed + " session=" + number + " step=" + step, e);
              }
            }
          }
        });
  }

  /** The first difference between the file and what was planned. */
  public Optional<String> difference(Path path) {
    try (H5File file = H5File.open(path)) {
      return root.difference(file);
    }
  }
}
