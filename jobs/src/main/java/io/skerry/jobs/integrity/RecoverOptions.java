package io.skerry.jobs.integrity;

import io.skerry.jobs.file.WholeFileOptions;

/**
 * One run of {@code skerry recover}.
 *
 * @param file the file whose flush was interrupted
 * @param journal whether its journal is there
 */
public record RecoverOptions(WholeFileOptions file, Journal journal) {
  /** The journal of the interrupted flush. */
  public enum Journal {
    /** It lies beside the file, and the flush is finished or discarded. */
    FOUND,
    /** It is lost, and the flush ends where it stopped. */
    LOST
  }
}
