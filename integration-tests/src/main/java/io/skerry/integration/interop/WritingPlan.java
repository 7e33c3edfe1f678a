package io.skerry.integration.interop;

import io.skerry.H5File;
import io.skerry.integration.random.FileForm;
import io.skerry.mpi.LocalRanks;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The plan for writing one file. A plan is generated from a seed before the first write.
 *
 * @param seed the seed
 * @param form the form of the file
 * @param sessions the sessions; the file is opened and closed once per session
 * @param root the expected content at the end
 * @param foreignFilters true if the plan may use filters that HDF5 supports only with plugins
 */
public record WritingPlan(
    long seed, FileForm form, List<Session> sessions, Expectation root, boolean foreignFilters) {

  /**
   * The steps from opening to closing the file.
   *
   * @param ranks the number of ranks, which are threads of this process
   * @param steps the steps in order
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

  /** Returns the plan that a seed determines. */
  public static WritingPlan of(long seed, FileForm form) {
    return new PlanGenerator(seed, form).plan();
  }

  /**
   * Writes the file.
   *
   * @throws IllegalStateException if a step fails; the message names the step
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

  /** Returns the first difference between the file and the plan. */
  public Optional<String> difference(Path path) {
    try (H5File file = H5File.open(path)) {
      return root.difference(file);
    }
  }
}
