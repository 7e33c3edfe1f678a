package io.skerry.jobs.mpi;

import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;

/**
 * The options of one run of {@code skerry mpi}.
 *
 * @param ranks the number of threads, used only if the ranks are threads
 * @param ranksAs the kind of ranks, used if no launcher started this process
 * @param folder the folder in which a file is written in order to determine the component for
 *     collective I/O
 * @param report the form of the report
 */
public record MpiOptions(int ranks, RanksAs ranksAs, Path folder, ReportForm report) {
  /** The kind of ranks to use if no launcher started this process. */
  public enum RanksAs {
    /** One rank of the MPI library. */
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
