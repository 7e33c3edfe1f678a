package io.skerry.jobs.lcls;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.file.RankFileName;
import io.skerry.jobs.frame.FrameSource;
import io.skerry.jobs.run.Ranks;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;

/**
 * The options of one run of the detector job.
 *
 * @param ranks the ranks that run the command
 * @param source the source of the frames
 * @param batch the number of frames per rank between two flushes
 * @param mode the kind of pixels that are kept
 * @param every the interval, in frames, between frames that are also stored in full; empty for none
 * @param placement the file that holds the sparse data
 * @param out the main output file
 * @param report the form of the report
 * @param picture the file for a picture of one frame and its kept pixels, if any
 * @param progress the kind of progress display
 * @param existing the treatment of existing output files
 * @param start the state from which the run starts
 */
public record LclsOptions(
    Ranks ranks,
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

  /** The kind of pixels to keep from a frame. */
  public enum Mode {
    /** The strongest spots: 50 to 100, or fewer if the frame does not have 50. */
    POINTS,
    /** One rectangle around the brightest region. */
    ROI
  }

  /** The file that holds the sparse data. */
  public enum Placement {
    /** The main output file. */
    ONE_FILE,
    /** A separate file, to which the main file has an external link. */
    SPLIT,
    /** One file per rank; the main file combines these files into one view. */
    FILE_PER_RANK
  }

  /** The form of the report on standard output. */
  public enum ReportFormat {
    TABLE,
    JSON
  }

  /** The kind of progress display on rank 0. */
  public enum Progress {
    BAR,
    NONE
  }

  /** The state from which a run starts. */
  public enum Start {
    /** New files. */
    NEW,
    /** The files of an interrupted run with the same options. */
    RESUMED
  }

  public LclsOptions {
    OptionCheck.atLeastOne("ranks", ranks.number());
    OptionCheck.atLeastOne("batch", batch);
    every.ifPresent(n -> OptionCheck.atLeastOne("every", n));
    requireFile(out);
    picture.ifPresent(LclsOptions::requireFile);
    if (placement != Placement.ONE_FILE && InputFile.isStored(out)) {
      throw new IllegalArgumentException(
          "only an HDF5 file can refer to other files, not with --split or --files-per-rank: out="
              + out);
    }
    if (placement == Placement.FILE_PER_RANK && start == Start.RESUMED) {
      throw new IllegalArgumentException(
          "a run with --files-per-rank cannot be continued by --resume");
    }
  }

  /**
   * Returns the file with the dataset of kept pixels, which is virtual if there is one file per
   * rank: the main output file or, if the sparse data has a separate file, {@code X.events.h5} next
   * to it, where {@code X} is the name of the main output file without its extension.
   */
  public Path eventsFile() {
    return switch (placement) {
      case ONE_FILE, FILE_PER_RANK -> out;
      case SPLIT -> RankFileName.sibling(out, "events");
    };
  }

  /**
   * Returns the place of the output, with the input file as a file that must not be replaced.
   *
   * @param size the number of ranks that run the job
   */
  OutputPlace outputPlace(int size) {
    List<Path> parts =
        switch (placement) {
          case ONE_FILE -> List.of();
          case SPLIT -> List.of(eventsFile());
          case FILE_PER_RANK ->
              IntStream.range(0, size).mapToObj(rank -> RankFileName.of(out, rank)).toList();
        };
    return new OutputPlace(
        out,
        parts,
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
