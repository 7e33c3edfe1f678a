package io.skerry.jobs.lcls;

import io.skerry.jobs.report.Json;
import java.util.Locale;

/**
 * The report of a complete run of the detector job.
 *
 * @param ranks the number of ranks
 * @param frames the number of frames
 * @param rows the number of rows of a frame
 * @param columns the number of columns of a frame
 * @param resumedFrom the number of frames that earlier runs had stored; 0 for a new run
 * @param rankFiles the number of per-rank files that the main file combines into one view; 0 if
 *     there are none
 * @param definedElements the number of kept pixels in all frames
 * @param rawBytes the uncompressed size of all frames, in bytes
 * @param sparseBytes the size, in bytes, of the file that holds the sparse data, or of all files if
 *     there is one per rank, including metadata but excluding the full frames
 * @param fullBytes the size of the full frames in the files, in bytes
 * @param writeSeconds the writing time of the slowest rank, in seconds
 * @param readSeconds the reading time of the slowest rank, in seconds
 * @param verification the result of the comparison with the source
 */
record LclsReport(
    int ranks,
    long frames,
    int rows,
    int columns,
    long resumedFrom,
    int rankFiles,
    long definedElements,
    long rawBytes,
    long sparseBytes,
    long fullBytes,
    double writeSeconds,
    double readSeconds,
    Verification verification)
    implements LclsOutcome {

  /** The result of comparing the file with the source. */
  enum Verification {
    VERIFIED,
    DIFFERENT
  }

  @Override
  public int exitCode() {
    return verification == Verification.VERIFIED ? 0 : 1;
  }

  /**
   * Returns the JSON object; it has a member {@code resumedFrom} only for a resumed run, and a
   * member {@code rankFiles} only if there is a file per rank.
   */
  @Override
  public String toJson() {
    Json.Members report =
        Json.object()
            .with("ranks", ranks)
            .with("frames", frames)
            .with("rows", rows)
            .with("columns", columns)
            .with("definedElements", definedElements)
            .with("rawBytes", rawBytes)
            .with("sparseBytes", sparseBytes)
            .with("fullBytes", fullBytes)
            .with("writeSeconds", writeSeconds)
            .with("readSeconds", readSeconds);
    if (resumedFrom > 0) {
      report = report.with("resumedFrom", resumedFrom);
    }
    if (rankFiles > 0) {
      report = report.with("rankFiles", rankFiles);
    }
    return report.with("verified", Json.truth(verification == Verification.VERIFIED)).text();
  }

  /** Returns the table, whose last line is {@code verified} or {@code NOT VERIFIED}. */
  @Override
  public String toTable() {
    long pixels = frames * rows * columns;
    var table = new StringBuilder();
    line(table, "frames", "%,d of %,d x %,d on %d rank%s", frames, rows, columns, ranks, plural());
    line(
        table,
        "defined elements",
        "%,d  (%.3f %% of all, %.0f a frame)",
        definedElements,
        100.0 * definedElements / pixels,
        (double) definedElements / frames);
    line(table, "raw", "%12s", mebibytes(rawBytes));
    line(
        table,
        "sparse",
        "%12s  %s%s",
        mebibytes(sparseBytes),
        reduction(sparseBytes),
        perElement());
    line(table, "whole frames", "%12s", mebibytes(fullBytes));
    line(table, "reduction", "%12s", reduction(sparseBytes + fullBytes));
    if (rankFiles > 0) {
      line(table, "files of ranks", "%,d", rankFiles);
    }
    if (resumedFrom > 0) {
      line(table, "resumed after", "%,d frames", resumedFrom);
    }
    long written = frames - resumedFrom;
    line(table, "written in", "%10.2f s  %s of frames", writeSeconds, rate(written, writeSeconds));
    line(table, "read back in", "%10.2f s  %s of frames", readSeconds, rate(frames, readSeconds));
    return table
        .append(verification == Verification.VERIFIED ? "verified" : "NOT VERIFIED")
        .append(System.lineSeparator())
        .toString();
  }

  private String plural() {
    return ranks == 1 ? "" : "s";
  }

  private String perElement() {
    return definedElements == 0
        ? ""
        : String.format(
            Locale.ROOT, ", %.2f bytes an element", (double) sparseBytes / definedElements);
  }

  private String reduction(long bytes) {
    return bytes == 0 ? "nothing" : String.format(Locale.ROOT, "1/%.1f", (double) rawBytes / bytes);
  }

  private String rate(long some, double seconds) {
    double bytes = (double) rawBytes / frames * some;
    return seconds > 0
        ? String.format(Locale.ROOT, "%,.0f MiB/s", bytes / seconds / (1 << 20))
        : "-";
  }

  private static String mebibytes(long bytes) {
    return String.format(Locale.ROOT, "%,.2f MiB", (double) bytes / (1 << 20));
  }

  private static void line(StringBuilder table, String name, String format, Object... values) {
    table
        .append(String.format(Locale.ROOT, "%-17s ", name))
        .append(String.format(Locale.ROOT, format, values))
        .append(System.lineSeparator());
  }
}
