package io.skerry.jobs.copy;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.SparsityConversion;
import io.skerry.StorageChange;
import io.skerry.format.Bytes;
import io.skerry.jobs.argument.ElementSyntax;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.WorkBudget;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.selection.Selection;
import java.util.Map;
import java.util.Optional;

/** Copies a dataset from dense to sparse storage or vice versa. Collective. */
final class ConvertJob {
  private final ConvertOptions options;
  private final Map<String, String> environment;

  ConvertJob(ConvertOptions options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /**
   * Runs the job. Collective over {@code world}.
   *
   * @return the report, identical on all ranks
   */
  Json.Members run(Communicator world) {
    InputFile.check(options.in(), world);
    return OutputFile.between(
        options.in(),
        options.out(),
        options.trust(),
        world,
        (source, target) -> convert(source, target, world));
  }

  private Json.Members convert(H5File source, H5File target, Communicator ranks) {
    Dataset dataset = source.dataset(options.from());
    Optional<Bytes> undefined = undefined(dataset, ranks);
    boolean toSparse = options.kind() == ConvertOptions.Kind.SPARSE;
    long[] counted = {0};
    StorageChange change =
        StorageChange.none()
            .withFilters(options.filters())
            .redefining(
                new SparsityConversion(
                    toSparse
                        ? SparsityConversion.Kind.DENSE_TO_SPARSE
                        : SparsityConversion.Kind.SPARSE_TO_DENSE,
                    undefined,
                    elements -> counted[0] += elements));
    if (options.chunk().isPresent()) {
      change = change.withChunk(options.chunk().get());
    }
    long bytes = dataset.shape().elements() * dataset.datatype().size();
    try (ProgressDisplay progress =
        ProgressDisplay.ofBytes("converting", bytes, ranks.rank(), environment)) {
      ObjectCopier.between(source, target)
          .storing(options.from(), change)
          .watchedBy(progress::advance)
          .copy(options.from(), options.to());
    }
    target.flush();
    Dataset sparse = toSparse ? target.dataset(options.to()) : dataset;
    long elements = dataset.shape().elements();
    long defined = ChunkBands.defined(sparse, Selection.all());
    Json.Members report =
        Json.object()
            .with("in", options.in() + ":" + options.from())
            .with("out", options.out() + ":" + options.to())
            .with("ranks", ranks.size())
            .with("elements", elements)
            .with("defined", defined);
    return toSparse
        ? report.with("leftOut", elements - defined)
        : report.with("definedWithValue", ranks.allReduce(counted[0], Reduction.SUM));
  }

  /**
   * Returns the value given on the command line for undefined elements, if any. Before that,
   * rejects work that exceeds the limit; rank 0 decides, because the ranks may see different sizes
   * of the files that store the elements. Collective.
   */
  private Optional<Bytes> undefined(Dataset dataset, Communicator ranks) {
    WorkBudget budget = new WorkBudget(options.limit(), "convert", WorkBudget.Effort.REWRITE);
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      Agreement agreement = new Agreement(ranks, watchdog, options.in());
      agreement.first("computing the work", () -> budget.take(dataset));
      return agreement.each(
          "parsing the value of undefined elements",
          () -> options.undefined().map(text -> ElementSyntax.parse(dataset.datatype(), text)));
    }
  }
}
