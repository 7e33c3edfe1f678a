package io.skerry.jobs.file;

/** The treatment of an output file that exists already. */
public enum ExistingOutput {
  /** The file is kept, and the command is refused before it reads any input. */
  KEPT,
  /** The file is replaced when the output is complete. */
  REPLACED
}
