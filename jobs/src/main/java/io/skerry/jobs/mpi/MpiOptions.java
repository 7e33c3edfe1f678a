package io.skerry.jobs.mpi;

import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;

/**
 * What {@code skerry mpi} is asked.
 *
 * @param ranks to run on, if no launcher started any
 * @param ranksAs what carries their messages then
 * @param folder where a file is written to see what does collective I/O there
 * @param report the form of the answer
 */
public record MpiOptions(int ranks, RanksAs ranksAs, Path folder, ReportForm report) {
  /** What carries messages if no launcher started this process. */
  public enum RanksAs {
    /** The MPI library, for one rank. */
    LIBRARY,
    /** Threads of this process. */
    THREADS
  }

  public MpiOptions {
    if (ranks < 1) {
      throw new IllegalArgumentException("--ranks must be 1 or more: ranks=" + ranks);
    }
  }
}
