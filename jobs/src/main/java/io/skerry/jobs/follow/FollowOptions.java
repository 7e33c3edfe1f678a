package io.skerry.jobs.follow;

import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/**
 * The options of one run of {@code follow}.
 *
 * @param what the file, and the dataset in it; without a dataset, the tree of the file
 * @param trust the policy for other files to which the file refers
 * @param form the form of the output
 * @param epochs the number of epochs after which the command ends
 * @param patience the time to wait for the file, for the first flush and for each later one
 * @param values the number of values of the newest frame to print
 * @param picture the picture of the newest frame
 */
public record FollowOptions(
    FileArgument what,
    Trust trust,
    ReportForm form,
    long epochs,
    Duration patience,
    int values,
    Optional<Picture> picture) {
  /**
   * A picture that is drawn repeatedly.
   *
   * @param png the path of the PNG file, which is overwritten
   * @param every the minimum time between two drawings
   */
  public record Picture(Path png, Duration every) {}
}
