package io.skerry.jobs.pca;

import io.skerry.jobs.argument.OptionCheck;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.report.ReportForm;
import io.skerry.parallel.Trust;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * One run of {@code skerry pca}.
 *
 * @param ranks ranks asked for; under a launcher that started another number, the launcher's holds
 * @param in file of the frames
 * @param trust policy for the other files that the file names
 * @param dataset their path
 * @param components how many components
 * @param centering whether the mean frame is subtracted
 * @param undefined what undefined pixels count as; the fill value if absent
 * @param out where the results go
 * @param picture where a picture of them goes
 * @param existing whether files that the output meets may be replaced
 */
public record PcaOptions(
    int ranks,
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
    OptionCheck.atLeastOne("ranks", ranks);
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
