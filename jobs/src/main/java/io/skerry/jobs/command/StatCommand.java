package io.skerry.jobs.command;

import io.skerry.jobs.argument.FileArgument;
import io.skerry.jobs.report.ReportForm;
import io.skerry.jobs.run.WorkLimit;
import io.skerry.jobs.stat.CacheTrial;
import io.skerry.jobs.stat.ReadingOrder;
import io.skerry.jobs.stat.StatOptions;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Reads the arguments of {@code skerry stat}. */
@Command(
    name = "stat",
    description = "Print the space that datasets use in a file, and its purpose.",
    footer = {
      "",
      "For one dataset all figures are printed, for a whole file one line per dataset. Breaks are",
      "chunks that do not begin where the previous chunk ends; holes are the space between chunks.",
      "The space that a dense dataset would use is estimated by encoding up to 16 chunks again with",
      "the filters of the values. Every chunk of a sparse dataset is examined.",
      "",
      "With --cache all elements are read as well. Each dataset starts with an empty chunk cache and",
      "is read in the order given by --cache-order:",
      "",
      "rows      one index of the first dimension after another",
      "columns   one index of the last dimension after another",
      "chunks    one chunk after another",
      "",
      "Each chunk should be read about once. If it is read more often, the order does not suit the",
      "chunk shape and the size of the cache. Prefetching is off, so that the figures are",
      "reproducible.",
      "",
      "Examples: ./skerry stat hits.h5:/entry/events",
      "          ./skerry stat --cache hits.h5:/entry/events",
      "          ./skerry stat --cache --cache-order=rows,columns --cache-size=64M hits.h5"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class StatCommand implements Callable<Integer> {
  private final ToIntFunction<StatOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Parameters(
      paramLabel = "FILE[:/path]",
      description = "An HDF5 file or container iod:PATH, or a dataset in it.")
  private String place;

  @ArgGroup(exclusive = false)
  private CacheArguments cache = new CacheArguments();

  /**
   * The options of the cache measurement. All options except {@code --cache} itself are allowed
   * only together with {@code --cache}.
   */
  private static final class CacheArguments {
    @Option(
        names = "--cache",
        required = true,
        description = "Read all elements and print the statistics of the chunk cache.")
    private boolean asked;

    @Option(
        names = "--cache-order",
        paramLabel = "ORDER",
        split = ",",
        description = "With --cache: rows, columns or chunks, or several of them (default: rows).")
    private List<ReadingOrder> orders = List.of(ReadingOrder.ROWS);

    @Option(
        names = "--cache-size",
        paramLabel = "SIZE",
        converter = ByteSize.class,
        description = {
          "With --cache: size of the cache in bytes; K, M and G are powers of 1024. By default it",
          "has the size that a program gets without any setting, and grows."
        })
    private Optional<Long> bytes = Optional.empty();

    @Option(
        names = "--limit",
        paramLabel = "SIZE|none",
        converter = LimitOption.Spelling.class,
        description = {
          "With --cache: maximum size of the elements to read in bytes, stored or not; K, M and G",
          "are powers of 1024 (default: 256M, or 20000 times the size of the input files, whichever",
          "is more)."
        })
    private WorkLimit limit = WorkLimit.standard();

    private CacheTrial trial() {
      return asked
          ? new CacheTrial(orders, bytes.map(OptionalLong::of).orElse(OptionalLong.empty()))
          : CacheTrial.none();
    }
  }

  @Option(names = "--json", description = "Print one JSON object.")
  private boolean json;

  @Mixin private TrustOption trusting = new TrustOption();

  @Mixin private HelpOption help = new HelpOption();

  public StatCommand(ToIntFunction<StatOptions> handler) {
    this.handler = handler;
  }

  @Override
  public Integer call() {
    FileArgument parsed = FileArgument.parse(place);
    return handler.applyAsInt(
        new StatOptions(
            parsed.file(),
            trusting.trust(),
            parsed.path(),
            cache.trial(),
            cache.limit,
            json ? ReportForm.JSON : ReportForm.TEXT));
  }
}
