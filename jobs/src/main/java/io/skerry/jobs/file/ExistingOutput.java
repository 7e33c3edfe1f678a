package io.skerry.jobs.file;

/** What becomes of a file that exists where an output goes. */
public enum ExistingOutput {
  /** It stays, and the command is refused before it reads anything. */
  KEPT,
  /** The output replaces it when it is complete. */
  REPLACED
}
