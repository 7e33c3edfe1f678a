package io.skerry.jobs;

import java.nio.file.Path;

/** One run of {@code skerry verify}. */
public record VerifyOptions(Path file, Output output) {

  /** What is printed. */
  public enum Output {
    /** One line per finding, then how the space is used. */
    TEXT,
    /** Everything as one JSON object. */
    JSON
  }
}
