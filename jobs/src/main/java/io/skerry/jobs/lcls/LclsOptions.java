package io.skerry.jobs.lcls;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One run of the detector job.
 *
 * @param ranks ranks asked for; under a launcher that started another number, the launcher's holds
 * @param batch frames per rank between two flushes
 * @param every store each frame whose index is a multiple of this whole as well
 * @param picture where to draw one frame beside its kept pixels
 * @param existing whether files that the output meets may be replaced
 * @param start whether to go on with what another run has left
 */
public record LclsOptions(
    int ranks,
    FrameSource source,
    int batch,
    Mode mode,
    OptionalInt every,
    Placement placement,
    Path out,
    ReportFormat report,
    Optional<Path> picture,
    Progress progress,
    ExistingOutput existing,
    Start start) {

  /** Which pixels of a frame are kept. */
  public enum Mode {
    /** The 50 to 100 strongest spots. */
    POINTS,
    /** One rectangle around the brightest region. */
    ROI
  }

  /** Where the sparse data go. */
  public enum Placement {
    /** Into the one output file. */
    ONE_FILE,
    /** Into a file of their own behind an external link. */
    SPLIT
  }

  /** How the run is reported on standard output. */
  public enum ReportFormat {
    TABLE,
    JSON
  }

  /** Whether the first rank draws a progress bar. */
  public enum Progress {
    BAR,
    NONE
  }

  /** What a run begins with. */
  public enum Start {
    /** New files. */
    NEW,
    /** The files of a run of the same options that was cut. */
    RESUMED
  }

  public LclsOptions {
    OptionCheck.atLeastOne("ranks", ranks);
    OptionCheck.atLeastOne("batch", batch);
    every.ifPresent(n -> OptionCheck.atLeastOne("every", n));
    requireFile(out);
    picture.ifPresent(LclsOptions::requireFile);
  }

  /** Where the sparse data are: {@code out}, or beside it {@code X.events.h5} when split off. */
  public Path eventsFile() {
    return switch (placement) {
      case ONE_FILE -> out;
      case SPLIT -> {
        String name = String.valueOf(out.getFileName());
        int dot = name.lastIndexOf('.');
        yield out.resolveSibling((dot > 0 ? name.substring(0, dot) : name) + ".events.h5");
      }
    };
  }

  /** Returns the place of the output; the file of the frames is not to be replaced. */
  OutputPlace outputPlace() {
    return new OutputPlace(
        out,
        eventsFile(),
        picture,
        source instanceof FrameSource.InFile(Path file, Trust _, String _)
            ? InputFile.members(file)
            : List.of(),
        existing);
  }

  private static void requireFile(Path path) {
    String name = path.getFileName() == null ? "" : path.getFileName().toString();
    if (name.isEmpty() || name.equals(".") || name.equals("..")) {
      throw new IllegalArgumentException("not the name of a file: path=" + path);
    }
  }
}
