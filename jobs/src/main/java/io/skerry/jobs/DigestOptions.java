package io.skerry.jobs;

import java.nio.file.Path;

/** One run of {@code skerry digest}. */
public record DigestOptions(Path file, Output output) {

  /** What is printed. */
  public enum Output {
    /** One line per object or attribute. */
    TEXT,
    /** Everything as one JSON object. */
    JSON
  }
}
