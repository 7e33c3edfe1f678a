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
    description = "Print what datasets take in a file, and what for.",
    footer = {
      "",
      "Of one dataset everything is printed, of a whole file one line for each. Breaks are chunks",
      "that do not begin where the one before ends, holes what lies between chunks. What a dense",
      "dataset would take is found by encoding up to 16 chunks again, with the filters of the",
      "values. Every chunk of a sparse dataset is looked at.",
      "",
      "With --cache all elements are read as well, each dataset from an empty chunk cache on, in",
      "the order that --cache-order names:",
      "",
      "rows      one index of the first dimension after the other",
      "columns   one index of the last dimension after the other",
      "chunks    one chunk after the other",
      "",
      "Each chunk should be read about once. If it is read more often, this way of reading does",
      "not suit the shape of the chunks and the memory that there is for them. Nothing is read",
      "ahead, so that the numbers are the same each time.",
      "",
      "Examples: ./skerry stat hits.h5:/entry/events",
      "          ./skerry stat --cache hits.h5:/entry/events",
      "          ./skerry stat --cache --cache-order=rows,columns --cache-size=64M hits.h5"
    })
@SuppressWarnings("UnusedVariable") // picocli writes the fields
public final class StatCommand implements Callable<Integer> {
  private final ToIntFunction<StatOptions> handler;

  @SuppressWarnings("NullAway.Init")
  @Parameters(paramLabel = "FILE[:/path]", description = "An HDF5 file, or a dataset in it.")
  private String place;

  @ArgGroup(exclusive = false)
  private CacheArguments cache = new CacheArguments();

  /** Given together, or not at all. */
  private static final class CacheArguments {
    @Option(
        names = "--cache",
        required = true,
        description = "Read everything and tell what the chunk cache did.")
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
          "With --cache: bytes of the cache; K, M and G are powers of 1024. By default it has what",
          "a program gets that sets nothing, and grows."
        })
    private Optional<Long> bytes = Optional.empty();

    @Option(
        names = "--limit",
        paramLabel = "SIZE|none",
        converter = LimitOption.Spelling.class,
        description = {
          "With --cache: bytes of elements to read at most, stored or not; K, M and G are powers of",
          "1024 (default: 256M, or 20000 times the files that hold them, whichever is more)."
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
