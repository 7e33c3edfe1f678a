package io.skerry.jobs.copy;

import io.skerry.CopyOption;
import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.jobs.argument.StorageRule;
import io.skerry.jobs.file.DatasetWalk;
import io.skerry.jobs.file.ElementAddresses;
import io.skerry.jobs.file.ExistingOutput;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.internal.concurrent.Watchdog;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Rewrites a file. Collective; one object per rank. */
final class RepackJob {
  /** The size in bytes below which a dataset is not changed by a rule without a path. */
  private static final long SMALL = 1024;

  private final RepackOptions options;
  private final Map<String, String> environment;

  RepackJob(RepackOptions options, Map<String, String> environment) {
    this.options = options;
    this.environment = environment;
  }

  /**
   * Runs the job. Collective over {@code world}.
   *
   * @return the report; the size of the new file is the one that this rank sees
   */
  Json.Members run(Communicator world) {
    InputFile.check(options.in(), world);
    return OutputFile.run(
        OutputPlace.of(options.out(), options.in(), options.existing()),
        world,
        (ranks, place) ->
            Agreement.using(
                ranks,
                InputFile.open(options.in(), ranks, options.trust()),
                H5File::close,
                source -> {
                  if (options.existing() == ExistingOutput.REPLACED) {
                    checkRead(source, place, ranks);
                  }
                  boolean unused =
                      OutputFile.create(place, ranks, target -> copy(source, target, ranks));
                  return Json.object()
                      .with("in", options.in().toString())
                      .with("out", options.out().toString())
                      .with("ranks", ranks.size())
                      .with("bytesBefore", source.size())
                      .with("bytesAfter", InputFile.bytes(place.mainFile()));
                }));
  }

  /**
   * Rejects an output that would replace a file that stores elements of the input, or that might do
   * so because not all such files are known. All ranks visit the datasets, because opening a
   * dataset is collective; rank 0 decides. Collective.
   */
  private void checkRead(H5File source, OutputPlace place, Communicator ranks) {
    Spared spared = new Spared(place);
    DatasetWalk.walk(source, spared);
    try (Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      new Agreement(ranks, watchdog, options.in()).first("looking at the input", spared::check);
    }
  }

  /** Checks the datasets of the input, and keeps the first failure until the end of the walk. */
  private static final class Spared implements DatasetWalk.Visitor {
    private final OutputPlace place;
    private Optional<RuntimeException> failure = Optional.empty();

    Spared(OutputPlace place) {
      this.place = place;
    }

    @Override
    public void dataset(Dataset dataset) {
      if (failure.isPresent()) {
        return;
      }
      try {
        place.checkRead(dataset);
      } catch (JobException | UncheckedIOException e) {
        failure = Optional.of(e);
      }
    }

    @Override
    public void unreadable(String path, String reason) {
      failure = failure.or(() -> Optional.of(place.unknown(path, reason)));
    }

    void check() {
      if (failure.isPresent()) {
        throw failure.get();
      }
    }
  }

  private boolean copy(H5File source, H5File target, Communicator ranks) {
    try (ProgressDisplay progress =
        ProgressDisplay.ofBytes("repacking", source.size(), ranks.rank(), environment)) {
      ObjectCopier copier =
          ObjectCopier.between(source, target, copyOptions())
              .movedTo(
                  InputFile.location(options.out())
                      .path()
                      .toAbsolutePath()
                      .resolveSibling("")
                      .normalize())
              .watchedBy(progress::advance)
              .storing(this::general);
      for (Map.Entry<String, StorageChange> special : named().entrySet()) {
        copier = copier.storing(special.getKey(), special.getValue());
      }
      copier.copyAll();
    }
    return true;
  }

  private CopyOption[] copyOptions() {
    return switch (options.virtual()) {
      case KEEP -> new CopyOption[] {CopyOption.KEEP_INNER_REFERENCES};
      case MATERIALIZE ->
          new CopyOption[] {CopyOption.KEEP_INNER_REFERENCES, CopyOption.MATERIALIZE_VIRTUAL};
      case REBASE -> new CopyOption[] {CopyOption.KEEP_INNER_REFERENCES, CopyOption.REBASE_VIRTUAL};
    };
  }

  private Map<String, StorageChange> named() {
    Map<String, StorageChange> changes = new LinkedHashMap<>();
    for (StorageRule rule : options.rules()) {
      rule.path().ifPresent(path -> changes.merge(path, rule.change(), StorageRule::joined));
    }
    return changes;
  }

  /**
   * Returns the change that the rules without a path require for a dataset. Such rules do not apply
   * to small datasets or to datasets whose elements contain variable-length data or references.
   */
  private StorageChange general(Dataset dataset) {
    StorageChange change = StorageChange.none().withFit(StorageChange.Fit.WHERE_POSSIBLE);
    if (ElementAddresses.areIn(dataset.datatype())
        || dataset.shape().elements() < Math.ceilDiv(SMALL, dataset.datatype().size())) {
      return change;
    }
    for (StorageRule rule : options.rules()) {
      if (rule.path().isEmpty()) {
        change = StorageRule.joined(change, rule.change());
      }
    }
    return change;
  }
}
