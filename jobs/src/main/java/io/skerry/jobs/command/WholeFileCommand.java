package io.skerry.jobs.command;

import io.skerry.jobs.file.WholeFileOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of a command that processes an entire file. */
@SuppressWarnings("UnusedVariable") // picocli writes the fields
abstract class WholeFileCommand implements Callable<Integer> {
  /** The help text of the file parameter, shared with commands outside this class hierarchy. */
  static final String FILE =
      "An HDF5 file, or a container iod:PATH; for a family or multi file a pattern such as"
          + " run%%05d.h5, or the common name.";

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "FILE", description = FILE)
  private Path file;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  /** Returns the options given on the command line. */
  final WholeFileOptions asked() {
    return new WholeFileOptions(file, trusting.trust(), json ? ReportForm.JSON : ReportForm.TEXT);
  }
}
