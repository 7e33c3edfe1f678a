package io.skerry.jobs;

import java.nio.file.Path;

/** One run of {@code skerry ls}. */
public record LsOptions(Path file, Output output) {

  /** What is printed. */
  public enum Output {
    /** One line per object, link or attribute. */
    TEXT,
    /** Everything as one JSON object. */
    JSON
  }
}
