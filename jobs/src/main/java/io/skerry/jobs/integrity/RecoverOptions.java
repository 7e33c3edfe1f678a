package io.skerry.jobs.integrity;

import io.skerry.jobs.file.WholeFileOptions;

/**
 * The options of one run of {@code skerry recover}.
 *
 * @param file the file whose flush was interrupted, and the options that other commands share
 * @param journal the state of the journal of the interrupted flush
 */
public record RecoverOptions(WholeFileOptions file, Journal journal) {
  /** The state of the journal of the interrupted flush. */
  public enum Journal {
    /** The journal, if there is one, is next to the file; the flush is finished or discarded. */
    FOUND,
    /** The journal is lost; the flush ends incomplete, at the point where it was interrupted. */
    LOST
  }
}
