package io.skerry.jobs.inspect;

import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * One run of {@code skerry defined}.
 *
 * @param trust policy for the other files that the file names
 * @param selection the part of the dataset to look at, as typed; all of it if absent
 */
public record DefinedOptions(
    Path file, Trust trust, String dataset, Optional<String> selection, Output output) {

  /** What is printed. */
  public enum Output {
    /** Count, share of all elements, and bounds. */
    SUMMARY,
    /** The bare number of defined elements. */
    COUNT,
    /** One line of comma-separated coordinates per defined element. */
    COORDINATES,
    /** Everything as one JSON object. */
    JSON
  }
}
