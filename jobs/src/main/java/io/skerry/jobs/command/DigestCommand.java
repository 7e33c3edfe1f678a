package io.skerry.jobs.command;

import io.skerry.jobs.integrity.DigestOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry digest}. */
@Command(
    name = "digest",
    description = "Print a digest of the content of every object, independent of its storage.",
    footer = {
      "",
      "Two files with equal digests hold the same values; layout, chunks, filters and byte",
      "order may differ. Soft and external links are not followed."
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class DigestCommand implements Callable<Integer> {
  private final ToIntFunction<DigestOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "FILE", description = WholeFileCommand.FILE)
  private Path file;

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Mixin private LimitOption limited = new LimitOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public DigestCommand(ToIntFunction<DigestOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(
        new DigestOptions(
            serving.ranks(parallel, file),
            file,
            trusting.trust(),
            limited.limit(),
            json ? ReportForm.JSON : ReportForm.TEXT));
  }
}
