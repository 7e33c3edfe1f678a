package io.skerry.jobs.command;

import io.skerry.jobs.argument.FilterSyntax;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.copy.RepackOptions;
import io.skerry.jobs.report.ReportForm;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Reads the arguments of {@code skerry repack}. */
@Command(
    name = "repack",
    description =
        "Rewrite a file without unused space, optionally with other chunks, filters or layouts.",
    footer = {
      "",
      "OUT appears when it is complete; --force replaces an existing file. A rule without PATH applies",
      "to every dataset that it fits and that has 1024 bytes or more, except datasets of",
      "variable-length values or references. A rule with PATH applies to that dataset and takes",
      "precedence. Virtual datasets and datasets in external files keep referring to the other files",
      "unless --virtual=materialize or a rule with their PATH copies the elements. Relative names of",
      "other files count from the folder of OUT; --virtual=rebase changes those of virtual datasets so",
      "that they lead to the same files as before.",
      "",
      "FILTERS are joined by +: " + FilterSyntax.HELP + ".",
      "",
      "Example: ./skerry repack in.h5 out.h5 --filter shuf+gzip=6 --chunk /entry/data=1x512x512"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class RepackCommand implements Callable<Integer> {
  private final ToIntFunction<RepackOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Spec
  private CommandSpec spec;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "0",
      paramLabel = "IN",
      description = "An HDF5 file, or a container iod:PATH.")
  private Path in;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      index = "1",
      paramLabel = "OUT",
      description = "The new file, or a container iod:PATH.")
  private Path out;

  @Option(
      names = "--chunk",
      paramLabel = "[PATH=]SHAPE",
      description = "Chunk shape, sizes joined by x.")
  private List<String> chunks = List.of();

  @Option(
      names = "--filter",
      paramLabel = "[PATH=]FILTERS",
      description = "Filters, in the order in which they are applied when writing.")
  private List<String> filters = List.of();

  @Option(
      names = "--layout",
      paramLabel = "[PATH=]LAYOUT",
      description = "compact, contiguous or chunked.")
  private List<String> layouts = List.of();

  @Option(
      names = "--virtual",
      paramLabel = "keep|materialize|rebase",
      description = {
        "Virtual datasets: keep the mappings, copy the elements instead, or keep the mappings with",
        "names of source files that lead to the same files (default: keep)."
      })
  private String virtual = "keep";

  @Mixin private RankOptions parallel = new RankOptions();

  @Mixin private IoRankOption serving = new IoRankOption();

  @Option(names = "--json", description = "Report as one JSON object.")
  private boolean json;

  @Mixin private ForceOption force = new ForceOption();

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public RepackCommand(ToIntFunction<RepackOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    return handler.applyAsInt(options());
  }

  private RepackOptions options() {
    try {
      List<StorageRule> rules = new ArrayList<>();
      add(chunks, StorageRule::chunk, rules);
      add(filters, StorageRule::filters, rules);
      add(layouts, StorageRule::layout, rules);
      return new RepackOptions(
          serving.ranks(parallel, out, in),
          in,
          trusting.trust(),
          out,
          force.existing(),
          rules,
          virtual(virtual),
          json ? ReportForm.JSON : ReportForm.TEXT);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  private static RepackOptions.Virtual virtual(String text) {
    return switch (text) {
      case "keep" -> RepackOptions.Virtual.KEEP;
      case "materialize" -> RepackOptions.Virtual.MATERIALIZE;
      case "rebase" -> RepackOptions.Virtual.REBASE;
      default ->
          throw new IllegalArgumentException(
              "--virtual is keep, materialize or rebase: virtual=" + text);
    };
  }

  private static void add(
      List<String> texts, Function<String, StorageRule> reader, List<StorageRule> rules) {
    texts.forEach(text -> rules.add(reader.apply(text)));
  }
}
