package io.skerry.jobs.pca;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.Ranks;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The options of one run of {@code skerry pca}.
 *
 * @param ranks the ranks that run the command
 * @param in the file that contains the frames
 * @param trust the policy for other files to which the file refers
 * @param dataset the path of the dataset of frames
 * @param components the number of components
 * @param centering the frame to subtract from every frame
 * @param undefined the value of undefined pixels; empty for the fill value
 * @param out the output file
 * @param picture the file for a picture of the components, if any
 * @param existing the treatment of existing output files
 * @param report the form of the report
 */
public record PcaOptions(
    Ranks ranks,
    Path in,
    Trust trust,
    String dataset,
    int components,
    Centering centering,
    OptionalDouble undefined,
    Path out,
    Optional<Path> picture,
    ExistingOutput existing,
    ReportForm report) {

  public PcaOptions {
    OptionCheck.atLeastOne("ranks", ranks.number());
    OptionCheck.atLeastOne("components", components);
    if (undefined.isPresent() && !Double.isFinite(undefined.getAsDouble())) {
      throw new IllegalArgumentException("must be finite: undefined=" + undefined.getAsDouble());
    }
    hasName("out", out);
    picture.ifPresent(path -> hasName("png", path));
  }

  private static void hasName(String name, Path path) {
    Path last = path.normalize().getFileName();
    if (last == null || last.toString().isEmpty() || last.toString().equals("..")) {
      throw new IllegalArgumentException("not the name of a file: " + name + "=" + path);
    }
  }
}
