package io.skerry.jobs.lcls;

/** The outcome of a run of the detector job that did not end with an exception. */
sealed interface LclsOutcome permits LclsReport, InterruptedRun {
  /** Returns the exit code of the command. */
  int exitCode();

  /** Returns the outcome as one JSON object on one line. */
  String toJson();

  /** Returns the outcome as one or more lines of text. */
  String toTable();
}
