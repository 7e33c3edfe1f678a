package io.skerry.jobs;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.filter.Filters;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.CollectiveOutcome;
import io.skerry.collective.LocalStatus;
import io.skerry.collective.Operation;
import io.skerry.jobs.detector.FramePicture;
import io.skerry.jobs.detector.PixelFrame;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Watchdog;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The detector job: streams frames over the ranks into a sparse file, then opens that file again and
 * compares everything in it with the source. Collective; one object per rank.
 */
final class DetectorJob {
  static final String EVENTS = "/entry/events";
  static final String FULL = "/entry/full";
  static final String FULL_INDEX = "/entry/full_index";
  static final String SPOT_COUNTS = "/entry/spot_counts";

  /** The most pixels of one sparse chunk: larger frames are cut. */
  private static final long CHUNK_PIXELS = 1L << 23;

  private final LclsOptions options;
  private final Communicator ranks;
  private final CollectiveOutcome outcome;
  private final OutputPlace place;
  private final Function<String, FrameProgress> progressOf;
  private final Stopwatch writing = new Stopwatch();
  private final Stopwatch reading = new Stopwatch();
  private long frames;

  private DetectorJob(
      LclsOptions options, Communicator ranks, Watchdog watchdog, Map<String, String> environment) {
    this.options = options;
    this.ranks = ranks;
    this.place = OutputPlace.of(options);
    this.outcome = new CollectiveOutcome(ranks, watchdog, options.out().toString());
    this.progressOf =
        phase ->
            FrameProgress.of(
                ranks.rank() == 0 ? options.progress() : LclsOptions.Progress.NONE,
                phase,
                frames,
                environment);
  }

  /**
   * Runs the job on all ranks.
   *
   * @return what it did, the same on all ranks
   */
  static LclsReport run(LclsOptions options, Communicator world, Map<String, String> environment) {
    try (Communicator ranks = world.duplicate();
        Watchdog watchdog = new Watchdog(ranks.rank(), System.err)) {
      return new DetectorJob(options, ranks, watchdog, environment).run();
    }
  }

  private LclsReport run() {
    try (FrameReader source = FrameReader.open(options.source(), ranks)) {
      frames = source.shape().frames();
      onFirstRank("preparing the output", place::prepare);
      boolean published = false;
      try {
        long kept = write(source);
        LclsReport report = verify(source, kept);
        if (report.exitCode() == 0) {
          onFirstRank("moving the output into place", place::publish);
          published = true;
        }
        return report;
      } finally {
        if (!published && ranks.rank() == 0) {
          new LocalStatus().attempt(place::discard);
        }
      }
    }
  }

  private void onFirstRank(String what, LocalStatus.Step step) {
    LocalStatus status = new LocalStatus();
    if (ranks.rank() == 0) {
      status.attempt(step);
    }
    outcome.enter(Operation.USER, what, status);
    outcome.leave();
  }

  private Batches batches() {
    return new Batches(frames, ranks.size(), options.batch());
  }

  /** The files being written. */
  private record Output(H5File main, H5File events) implements AutoCloseable {
    @Override
    public void close() {
      try (main) {
        if (events != main) {
          events.close();
        }
      }
    }
  }

  private Output createFiles() {
    H5File main = H5File.create(place.mainFile(), ranks);
    return switch (options.placement()) {
      case ONE_FILE -> new Output(main, main);
      case SPLIT -> {
        H5File events = H5File.create(place.eventsFile(), ranks);
        main.createExternalLink(
            EVENTS, String.valueOf(place.eventsFile().getFileName()), EVENTS);
        yield new Output(main, events);
      }
    };
  }

  private long write(FrameReader source) {
    FrameShape shape = source.shape();
    Batches batches = batches();
    long kept = 0;
    writing.start();
    Output output = createFiles();
    boolean whole = false;
    try (FrameProgress progress = progressOf.apply("writing")) {
      Dataset events = createEvents(output.events(), source);
      Dataset counts =
          output.main().createDataset(SPOT_COUNTS, growing(Datatype.U32, frames));
      FullFrames full = FullFrames.create(output.main(), source, options.every());
      writing.stop();
      for (long batch = 0; batch < batches.count(); batch++) {
        Batches.Share share = batches.share(batch, ranks.rank());
        MemorySegment data = readFrames(source, share);
        KeptFrames found = find(source, share, data);
        kept += found.count();
        writing.start();
        long end = batches.end(batch);
        events.extend(end);
        counts.extend(end);
        events.write(found.selection(), FrameReader.memory(source.pixelType()), found.values());
        counts.write(slice(share), found.spots());
        full.write(share, end, data, shape);
        output.main().flush();
        if (output.events() != output.main()) {
          output.events().flush();
        }
        writing.stop();
        progress.advance(end - batch * ranks.size() * options.batch());
      }
      whole = true;
    } finally {
      writing.start();
      closeOrAbandon(output, whole);
      writing.stop();
    }
    return ranks.allReduce(kept, Reduction.SUM);
  }

  /** A run that failed has nothing worth storing, and its output is thrown away in any case. */
  private static void closeOrAbandon(Output output, boolean whole) {
    if (whole) {
      output.close();
      return;
    }
    // The failure that led here is the one to report, not what closing says after it.
    new LocalStatus().attempt(output.main()::discard);
    new LocalStatus().attempt(output.events()::discard);
  }

  private Dataset createEvents(H5File file, FrameReader source) {
    FrameShape shape = source.shape();
    long columns = shape.columns();
    long rows = Math.clamp(CHUNK_PIXELS / Math.max(1, columns), 1, shape.rows());
    Dataset events =
        file.createDataset(
            EVENTS,
            DatasetSpec.of(
                    FrameReader.stored(source.pixelType()),
                    Shape.of(0, shape.rows(), shape.columns()).unlimited(0))
                .sparse(1, rows, columns)
                .filters(Filters.shuffle(), Filters.deflate(6)));
    events.setAttribute(Attribute.of("units", source.units()));
    events.setAttribute(
        Attribute.of("selection", options.mode().name().toLowerCase(Locale.ROOT)));
    events.setAttribute(Attribute.of("source", Provenance.of(options.source())));
    events.setAttribute(Attribute.of("creator", Provenance.creator()));
    return events;
  }

  static DatasetSpec growing(Datatype type, long expected) {
    return DatasetSpec.of(type, Shape.of(0).unlimited(0))
        .chunked(Math.clamp(expected, 1, 4096))
        .filters(Filters.shuffle(), Filters.deflate(4));
  }

  private static Selection slice(Batches.Share share) {
    return share.count() == 0
        ? Selection.none()
        : Selection.at(share.first()).extent(share.count());
  }

  private MemorySegment readFrames(FrameReader source, Batches.Share share) {
    long bytes =
        (long) share.count() * source.shape().framePixels() * source.pixelType().bytes();
    MemorySegment data = MemorySegment.ofArray(new byte[Math.toIntExact(bytes)]);
    source.read(share.first(), share.count(), data);
    return data;
  }

  /** Finds what to keep; a failure on one rank stops all at this point. */
  private KeptFrames find(FrameReader source, Batches.Share share, MemorySegment data) {
    LocalStatus status = new LocalStatus();
    KeptFrames found =
        status.attempt(
            () ->
                KeptFrames.find(
                    options.mode(),
                    source.shape(),
                    source.pixelType(),
                    share.first(),
                    share.count(),
                    data),
            KeptFrames.none());
    outcome.enter(Operation.USER, "frames " + share.first(), status);
    outcome.leave();
    return found;
  }

  private LclsReport verify(FrameReader source, long kept) {
    reading.start();
    boolean same = true;
    long fullBytes;
    long allBytes = Files.exists(place.mainFile()) ? place.mainFile().toFile().length() : 0;
    try (H5File file = H5File.open(place.mainFile(), ranks);
        FrameProgress progress = progressOf.apply("reading")) {
      Verifier verifier = new Verifier(file, source, options.mode(), options.every(), reading);
      fullBytes = verifier.fullBytes();
      reading.stop();
      Batches batches = batches();
      for (long batch = 0; batch < batches.count(); batch++) {
        // Another rank than the one that wrote a frame reads it back.
        Batches.Share share = batches.share(batch, (ranks.rank() + 1) % ranks.size());
        MemorySegment data = readFrames(source, share);
        KeptFrames expected = find(source, share, data);
        same &= verifier.holds(share, expected, data);
        if (batch == 0 && share.first() == 0 && share.count() > 0) {
          draw(source, data, expected);
        }
        progress.advance(batches.end(batch) - batch * ranks.size() * options.batch());
      }
      same &= verifier.hasNothingElse(kept);
    }
    long sparseBytes =
        switch (options.placement()) {
          case ONE_FILE -> allBytes - fullBytes;
          case SPLIT -> place.eventsFile().toFile().length();
        };
    FrameShape shape = source.shape();
    return new LclsReport(
        ranks.size(),
        frames,
        shape.rows(),
        shape.columns(),
        kept,
        frames * shape.framePixels() * source.pixelType().bytes(),
        sparseBytes,
        fullBytes,
        slowest(writing),
        slowest(reading),
        ranks.allReduce(same ? 1 : 0, Reduction.MIN) == 1
            ? LclsReport.Verification.VERIFIED
            : LclsReport.Verification.DIFFERENT);
  }

  private double slowest(Stopwatch watch) {
    return ranks.allReduce(watch.nanoseconds(), Reduction.MAX) / 1e9;
  }

  private void draw(FrameReader source, MemorySegment data, KeptFrames kept) {
    options
        .picture()
        .ifPresent(
            png ->
                FramePicture.write(
                    png,
                    PixelFrame.of(
                        data,
                        source.pixelType(),
                        source.shape().rows(),
                        source.shape().columns()),
                    kept.pixels().getFirst()));
  }
}
