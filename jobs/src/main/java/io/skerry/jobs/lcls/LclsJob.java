package io.skerry.jobs.lcls;

import io.skerry.collective.step.LocalStatus;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.lcls.LclsOptions.Placement;
import io.skerry.jobs.lcls.LclsOptions.Start;
import io.skerry.jobs.report.ProgressDisplay;
import io.skerry.jobs.run.Agreement;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.internal.concurrent.Watchdog;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Runs the detector job: the ranks store the selected pixels of frames in a sparse file, then
 * reopen the file and compare its contents with the source. Collective; one object per rank.
 */
final class LclsJob {
  private final LclsOptions options;
  private final Communicator ranks;
  private final Agreement agreement;
  private final StopAgreement stopping;
  private final OutputPlace place;
  private final FrameReader.Opener sources;
  private final Map<String, String> environment;
  private final Stopwatch writing = new Stopwatch();
  private long frames;
  private long stored;

  /** The size of the stored full frames, in bytes. */
  private long fullBytes;

  private LclsJob(
      LclsOptions options,
      Communicator ranks,
      Agreement agreement,
      StopAgreement stopping,
      FrameReader.Opener sources,
      Map<String, String> environment) {
    this.options = options;
    this.ranks = ranks;
    this.agreement = agreement;
    this.stopping = stopping;
    this.place = options.outputPlace(ranks.size());
    this.sources = sources;
    this.environment = environment;
  }

  private ProgressDisplay progress(String phase, long most) {
    return switch (options.progress()) {
      case BAR -> ProgressDisplay.ofFrames(phase, most, ranks.rank(), environment);
      case NONE -> ProgressDisplay.none();
    };
  }

  /**
   * Runs the job. Collective over {@code world}.
   *
   * @param stop a function that returns true if this rank should stop
   * @return the outcome, identical on all ranks except for the file sizes that each rank sees
   */
  static LclsOutcome run(
      LclsOptions options,
      Communicator world,
      Map<String, String> environment,
      FrameReader.Opener sources,
      BooleanSupplier stop) {
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err)) {
      return Agreement.using(
          world,
          world.duplicate(),
          Communicator::close,
          ranks -> {
            Agreement agreement = new Agreement(ranks, watchdog, options.out());
            StopAgreement stopping = new StopAgreement(ranks, stop);
            LclsJob job = new LclsJob(options, ranks, agreement, stopping, sources, environment);
            agreement.first("looking at the output", job::checkOutput);
            return Agreement.using(
                ranks,
                sources.open(options.source(), ranks, agreement),
                FrameReader::close,
                job::run);
          });
    }
  }

  private LclsOutcome run(FrameReader source) {
    frames = source.shape().frames();
    prepare(source);
    // Frames from which a later run can continue are discarded only if they differ from the source.
    boolean keeping = options.start() == Start.RESUMED;
    try {
      Written written =
          switch (options.placement()) {
            case ONE_FILE, SPLIT -> write(source);
            case FILE_PER_RANK -> writePerRank(source);
          };
      keeping = true;
      Optional<ReadBack.Result> found = written.stopped() ? Optional.empty() : readBack(source);
      if (found.isEmpty()) {
        return agreement.each("stopping", () -> stopped(source, written));
      }
      LclsReport report = report(source, written, found.get());
      keeping = report.exitCode() == 0;
      if (keeping) {
        agreement.first("moving the output into place", place::publish);
      }
      return report;
    } catch (RuntimeException e) {
      keeping |= stored > 0;
      if (stored > 0 && AgreedFailure.isAgreed(e, ranks.rankSet())) {
        throw new IncompleteRunException(e, stored, frames);
      }
      throw e;
    } finally {
      if (!keeping && ranks.rank() == 0) {
        new LocalStatus().attempt(place::discard);
      }
    }
  }

  private InterruptedRun stopped(FrameReader source, Written written) {
    if (options.placement() == Placement.FILE_PER_RANK) {
      throw RankFiles.stopped();
    }
    return new InterruptedRun(ranks.size(), source.shape(), written.end());
  }

  /** Checks the output, before any input is read. */
  private void checkOutput() throws IOException {
    if (options.start() == Start.RESUMED) {
      UnfinishedRun.checkExists(place, options.eventsFile());
    }
    place.check();
  }

  private void prepare(FrameReader source) {
    agreement.first("looking at the input", () -> source.stored().ifPresent(place::checkRead));
    switch (options.start()) {
      case NEW -> agreement.first("preparing the output", place::prepare);
      case RESUMED ->
          agreement.first(
              "looking for what to resume", () -> UnfinishedRun.check(place, options, source));
    }
  }

  /**
   * The result of storing frames.
   *
   * @param from the number of frames that were stored before this run
   * @param end the number of frames that are stored after this run
   * @param stopped true if a rank was asked to stop
   */
  private record Written(long from, long end, boolean stopped) {}

  private Written writePerRank(FrameReader source) {
    RankFiles files = rankFiles();
    try (ProgressDisplay progress = progress("writing", files.share())) {
      fullBytes = files.write(sources, stopping, progress);
    }
    writing.start();
    files.join(source);
    writing.stop();
    return new Written(0, frames, false);
  }

  private RankFiles rankFiles() {
    return new RankFiles(options, place, ranks, agreement, frames, writing);
  }

  private Written write(FrameReader source) {
    writing.start();
    FrameStore store =
        switch (options.start()) {
          case NEW -> FrameStore.create(place, options, source, ranks);
          case RESUMED -> FrameStore.resume(place, options, source, ranks);
        };
    long from = store.framesDone();
    stored = from;
    writing.stop();
    boolean stopped;
    try (ProgressDisplay progress = progress("writing", frames)) {
      progress.advance(from);
      stopped = fill(store, source, progress);
    } catch (RuntimeException e) {
      if (AgreedFailure.isAgreed(e, ranks.rankSet())) {
        // Report the first failure, not a failure of the discard.
        new LocalStatus().attempt(store::discard);
      }
      throw e;
    }
    writing.start();
    store.close();
    writing.stop();
    return new Written(from, store.framesDone(), stopped);
  }

  /**
   * Stores the frames batch by batch, up to the last batch or the batch in which a rank is asked to
   * stop.
   *
   * @return true if a rank was asked to stop
   */
  private boolean fill(FrameStore store, FrameReader source, ProgressDisplay progress) {
    FramePartition batches =
        new FramePartition(store.framesDone(), frames, ranks.size(), options.batch());
    boolean stopped = false;
    for (long batch = 0; batch < batches.count() && !stopped; batch++) {
      FramePartition.Share share = batches.share(batch, ranks.rank());
      LoadedFrames loaded = LoadedFrames.load(source, options.mode(), share, agreement);
      // Collective, so a rank that found its spots early waits here and not in the timed section.
      stopped = stopping.isReached();
      writing.start();
      store.store(loaded, batches.end(batch));
      stored = store.framesDone();
      writing.stop();
      progress.advance(batches.end(batch) - batches.begin(batch));
    }
    return stopped;
  }

  private Optional<ReadBack.Result> readBack(FrameReader source) {
    try (ProgressDisplay progress = progress("reading", frames)) {
      return new ReadBack(options, ranks, agreement, stopping)
          .compare(
              place.mainFile(), source, options.picture().map(_ -> place.pictureFile()), progress);
    }
  }

  private LclsReport report(FrameReader source, Written written, ReadBack.Result found) {
    FrameShape shape = source.shape();
    fullBytes += found.fullBytes();
    long sparseBytes =
        agreement.each(
            "measuring the output",
            () ->
                switch (options.placement()) {
                  case ONE_FILE -> InputFile.bytes(place.mainFile()) - fullBytes;
                  case SPLIT -> InputFile.bytes(place.made(options.eventsFile()));
                  case FILE_PER_RANK -> rankFiles().bytes() - fullBytes;
                });
    return new LclsReport(
        ranks.size(),
        frames,
        shape.rows(),
        shape.columns(),
        written.from(),
        options.placement() == Placement.FILE_PER_RANK ? ranks.size() : 0,
        found.kept(),
        frames * shape.framePixels() * source.pixelType().bytes(),
        sparseBytes,
        fullBytes,
        ranks.allReduce(writing.nanoseconds(), Reduction.MAX) / 1e9,
        found.seconds(),
        found.verification());
  }
}
