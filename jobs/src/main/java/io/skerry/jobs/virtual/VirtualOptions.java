package io.skerry.jobs.virtual;

import io.skerry.jobs.argument.ObjectArgument;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.util.List;

/**
 * The options of one run of {@code skerry virtual}.
 *
 * @param arrangement the arrangement of the sources
 * @param sources the sources as given, in which file names may contain wildcards; for a list, the
 *     name of the JSON file
 * @param out the virtual dataset
 * @param existing the treatment of an existing output file
 * @param axis the dimension along which sources are concatenated
 * @param grid the grid of tiles
 * @param trust the policy for other files to which a source file refers
 * @param report the form of the report
 */
public record VirtualOptions(
    Arrangement arrangement,
    List<String> sources,
    ObjectArgument out,
    ExistingOutput existing,
    int axis,
    Grid grid,
    Trust trust,
    ReportForm report) {
  public VirtualOptions {
    sources = List.copyOf(sources);
  }

  /**
   * A grid of tiles.
   *
   * @param rows the number of tiles along the second-to-last dimension
   * @param columns the number of tiles along the last dimension
   */
  public record Grid(int rows, int columns) {}
}
