package io.skerry.jobs.frame;

import java.util.Optional;

/** The origin of an output, as text for its attributes. The text does not identify the machine. */
public final class Provenance {
  private Provenance() {}

  /**
   * Returns the text for a source: the file name and the path of the dataset, or the shape and the
   * seed.
   */
  public static String of(FrameSource source) {
    return switch (source) {
      case FrameSource.InFile(var file, var _, String dataset) ->
          file.getFileName() + ":" + dataset;
      case FrameSource.Synthetic(FrameShape shape, long seed) ->
          "synthetic " + shape + " seed " + seed;
    };
  }

  /** Returns the name and version of Skerry. */
  public static String creator() {
    return "skerry "
        + Optional.ofNullable(Provenance.class.getPackage().getImplementationVersion())
            .orElse("development");
  }
}
