package io.skerry.jobs.frame;

import java.util.Optional;

/** Where an output came from, as text in its attributes. Tells nothing of the machine. */
public final class Provenance {
  private Provenance() {}

  public static String of(FrameSource source) {
    return switch (source) {
      case FrameSource.InFile(var file, var _, String dataset) ->
          file.getFileName() + ":" + dataset;
      case FrameSource.Synthetic(FrameShape shape, long seed) ->
          "synthetic " + shape + " seed " + seed;
    };
  }

  public static String creator() {
    return "skerry "
        + Optional.ofNullable(Provenance.class.getPackage().getImplementationVersion())
            .orElse("development");
  }
}
