package io.skerry.jobs.inspect;

import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The options of one run of {@code skerry defined}.
 *
 * @param file the file
 * @param trust the policy for other files to which the file refers
 * @param dataset the absolute path of the dataset
 * @param selection the text of the selection to examine; empty for the whole dataset
 * @param output the form of the output
 */
public record DefinedOptions(
    Path file, Trust trust, String dataset, Optional<String> selection, Output output) {

  /** The form of the output. */
  public enum Output {
    /**
     * The number of defined elements, their share of the selected elements, and their bounding box.
     */
    SUMMARY,
    /** The number of defined elements only. */
    COUNT,
    /** One line of comma-separated coordinates per defined element. */
    COORDINATES,
    /**
     * One JSON object: the path and shape of the dataset, the numbers of selected and defined
     * elements, and the coordinates of the defined elements.
     */
    JSON
  }
}
