package io.skerry.jobs;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.Redefinition;
import io.skerry.StorageChange;
import io.skerry.chunk.space.Selection;
import io.skerry.collective.LocalStatus;
import io.skerry.format.Bytes;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import java.nio.file.Files;
import java.util.Map;
import java.util.Optional;

/** Copies a dense dataset as a sparse one, or the other way round. Collective. */
final class ConvertJob {
  private final ConvertOptions options;
  private final Map<String, String> environment;

  ConvertJob(ConvertOptions options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /**
   * Runs the job on all ranks.
   *
   * @return what it did, the same on all ranks
   */
  Json.Members run(Communicator world) {
    InputFile.check(options.in());
    boolean exists = world.allReduce(Files.exists(options.out()) ? 1 : 0, Reduction.MIN) == 1;
    if (!exists) {
      return FileJob.run(
          OutputPlace.of(options.out(), options.in()),
          world,
          (ranks, place) ->
              Agreement.using(
                  H5File.open(options.in(), ranks),
                  H5File::close,
                  source ->
                      FileJob.create(place, ranks, target -> convert(source, target, ranks))));
    }
    if (InputFile.members(options.in()).contains(options.out())) {
      return change(world, target -> convert(target, target, world));
    }
    return Agreement.using(
        H5File.open(options.in(), world),
        H5File::close,
        source -> change(world, target -> convert(source, target, world)));
  }

  private Json.Members change(
      Communicator ranks, java.util.function.Function<H5File, Json.Members> step) {
    H5File target = H5File.openForWriting(options.out(), ranks);
    Json.Members report;
    try {
      report = step.apply(target);
    } catch (RuntimeException e) {
      if (e instanceof AgreedFailure) {
        // Nothing of a conversion that failed is to stay.
        new LocalStatus().attempt(target::discard);
      }
      throw e;
    }
    target.close();
    return report;
  }

  private Json.Members convert(H5File source, H5File target, Communicator ranks) {
    Dataset dataset = source.dataset(options.from());
    Optional<Bytes> undefined =
        options.undefined().map(text -> ElementText.parse(dataset.datatype(), text));
    boolean toSparse = options.kind() == ConvertOptions.Kind.SPARSE;
    long[] counted = {0};
    StorageChange change =
        StorageChange.none()
            .withFilters(options.filters())
            .redefining(
                new Redefinition(
                    toSparse
                        ? Redefinition.Kind.DENSE_TO_SPARSE
                        : Redefinition.Kind.SPARSE_TO_DENSE,
                    undefined,
                    elements -> counted[0] += elements));
    if (options.chunk().isPresent()) {
      change = change.withChunk(options.chunk().get());
    }
    long bytes = dataset.shape().elements() * dataset.datatype().size();
    try (ByteProgress progress = ByteProgress.of("converting", bytes, ranks.rank(), environment)) {
      ObjectCopier.between(source, target)
          .storing(options.from(), change)
          .watchedBy(progress::advance)
          .copy(options.from(), options.to());
    }
    target.flush();
    Dataset sparse = toSparse ? target.dataset(options.to()) : dataset;
    long elements = dataset.shape().elements();
    long defined = sparse.defined(Selection.all()).count(sparse.shape());
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
}
