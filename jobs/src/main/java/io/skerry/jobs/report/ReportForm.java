package io.skerry.jobs.report;

/** The form in which a command prints its results. */
public enum ReportForm {
  /** Lines of text. */
  TEXT,
  /** One JSON object. */
  JSON
}
