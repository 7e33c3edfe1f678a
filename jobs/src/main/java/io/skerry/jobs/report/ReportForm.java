package io.skerry.jobs.report;

/** What a command prints. */
public enum ReportForm {
  /** Lines for people. */
  TEXT,
  /** Everything as one JSON object. */
  JSON
}
