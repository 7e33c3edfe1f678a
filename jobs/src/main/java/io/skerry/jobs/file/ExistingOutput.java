package io.skerry.jobs.file;

/** The treatment of an existing output file. */
public enum ExistingOutput {
  /** The file is kept, and the command fails. */
  KEPT,
  /** The file is replaced when the output is complete. */
  REPLACED
}
