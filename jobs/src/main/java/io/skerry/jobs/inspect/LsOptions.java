package io.skerry.jobs.inspect;

import io.skerry.jobs.file.WholeFileOptions;

/**
 * The options of one run of {@code ls}.
 *
 * @param whole the file and the form of the report
 * @param reading the state of the file to print
 */
public record LsOptions(WholeFileOptions whole, Reading reading) {
  /** The state of the file to print. */
  public enum Reading {
    /** The file, which no program writes. */
    WHOLE_FILE,
    /** The newest epoch of a file that another program may write. */
    NEWEST_EPOCH
  }
}
