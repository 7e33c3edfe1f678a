package io.skerry.jobs.lcls;

/** How a run of the detector job ended, unless it failed. */
sealed interface LclsOutcome permits LclsReport, InterruptedRun {
  /** The exit code of such a run. */
  int exitCode();

  /** One JSON object on one line. */
  String toJson();

  /** A table for people. */
  String toTable();
}
