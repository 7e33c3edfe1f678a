package io.skerry.jobs;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.filter.Filters;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.LocalStatus;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Reduction;
import io.skerry.mpi.Watchdog;
import java.nio.file.Files;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * The detector job: streams frames over the ranks into a sparse file, then opens that file again
 * and compares everything in it with the source. Collective; one object per rank.
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
  private final Agreement agreement;
  private final OutputPlace place;
  private final Function<String, FrameProgress> progressOf;
  private final Stopwatch writing = new Stopwatch();
  private long frames;

  private DetectorJob(
      LclsOptions options,
      Communicator ranks,
      Agreement agreement,
      Map<String, String> environment) {
    this.options = options;
    this.ranks = ranks;
    this.agreement = agreement;
    this.place = OutputPlace.of(options);
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
  static LclsReport run(
      LclsOptions options,
      Communicator world,
      Map<String, String> environment,
      FrameReader.Opener sources) {
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err)) {
      return Agreement.using(
          world.duplicate(),
          Communicator::close,
          ranks -> {
            Agreement agreement = new Agreement(ranks, watchdog, options.out());
            DetectorJob job = new DetectorJob(options, ranks, agreement, environment);
            return Agreement.using(
                sources.open(options.source(), ranks, agreement), FrameReader::close, job::run);
          });
    }
  }

  private LclsReport run(FrameReader source) {
    frames = source.shape().frames();
    agreement.first("preparing the output", place::prepare);
    boolean published = false;
    try {
      long kept = write(source);
      LclsReport report = verify(source, kept);
      if (report.exitCode() == 0) {
        agreement.first("moving the output into place", place::publish);
        published = true;
      }
      return report;
    } finally {
      if (!published && ranks.rank() == 0) {
        new LocalStatus().attempt(place::discard);
      }
    }
  }

  /** The files being written. */
  private record Output(H5File main, H5File events) {
    void close() {
      try {
        if (events != main) {
          events.close();
        }
      } finally {
        main.close();
      }
    }

    /** A run that failed has nothing worth storing, and its output is thrown away in any case. */
    void discard() {
      main.discard();
      events.discard();
    }
  }

  private Output createFiles() {
    H5File main = H5File.create(place.mainFile(), ranks);
    return switch (options.placement()) {
      case ONE_FILE -> new Output(main, main);
      case SPLIT -> {
        H5File events = H5File.create(place.eventsFile(), ranks);
        main.createExternalLink(EVENTS, String.valueOf(place.eventsFile().getFileName()), EVENTS);
        yield new Output(main, events);
      }
    };
  }

  private long write(FrameReader source) {
    writing.start();
    Output output = createFiles();
    long kept;
    try (FrameProgress progress = progressOf.apply("writing")) {
      kept = fill(output, source, progress);
    } catch (RuntimeException e) {
      if (e instanceof AgreedFailure) {
        // The failure that led here is the one to report, not what closing says after it.
        new LocalStatus().attempt(output::discard);
      }
      throw e;
    }
    writing.start();
    output.close();
    writing.stop();
    return ranks.allReduce(kept, Reduction.SUM);
  }

  /** Stores all frames, batch by batch; answers how many pixels this rank kept. */
  private long fill(Output output, FrameReader source, FrameProgress progress) {
    Datatype memory = FrameReader.memory(source.pixelType());
    Batches batches = new Batches(frames, ranks.size(), options.batch());
    Dataset events = createEvents(output.events(), source);
    Dataset counts = output.main().createDataset(SPOT_COUNTS, growing(Datatype.U32, frames));
    FullFrames full = FullFrames.create(output.main(), source, options.every());
    writing.stop();
    long kept = 0;
    for (long batch = 0; batch < batches.count(); batch++) {
      Batches.Share share = batches.share(batch, ranks.rank());
      LoadedFrames loaded = LoadedFrames.load(source, options.mode(), share, agreement);
      KeptFrames found = loaded.kept();
      kept += found.count();
      // Whoever found its spots first would count its waiting for the others as writing.
      ranks.barrier();
      writing.start();
      long end = batches.end(batch);
      events.extend(end);
      counts.extend(end);
      events.write(found.selection(), memory, found.values());
      counts.write(share.selection(), found.spots());
      full.write(loaded, end, source.shape());
      output.main().flush();
      if (output.events() != output.main()) {
        output.events().flush();
      }
      writing.stop();
      progress.advance(end - batch * ranks.size() * options.batch());
    }
    return kept;
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
    events.setAttribute(Attribute.of("selection", options.mode().name().toLowerCase(Locale.ROOT)));
    events.setAttribute(Attribute.of("source", Provenance.of(options.source())));
    events.setAttribute(Attribute.of("creator", Provenance.creator()));
    return events;
  }

  static DatasetSpec growing(Datatype type, long expected) {
    return DatasetSpec.of(type, Shape.of(0).unlimited(0))
        .chunked(Math.clamp(expected, 1, 4096))
        .filters(Filters.shuffle(), Filters.deflate(4));
  }

  private LclsReport verify(FrameReader source, long kept) {
    FrameShape shape = source.shape();
    ReadBack.Result found;
    try (FrameProgress progress = progressOf.apply("reading")) {
      found =
          new ReadBack(options, ranks, agreement)
              .compare(
                  place.mainFile(),
                  source,
                  options.picture().map(_ -> place.pictureFile()),
                  progress);
    }
    long sparseBytes =
        agreement.each(
            "measuring the output",
            () ->
                switch (options.placement()) {
                  case ONE_FILE -> Files.size(place.mainFile()) - found.fullBytes();
                  case SPLIT -> Files.size(place.eventsFile());
                });
    return new LclsReport(
        ranks.size(),
        frames,
        shape.rows(),
        shape.columns(),
        kept,
        frames * shape.framePixels() * source.pixelType().bytes(),
        sparseBytes,
        found.fullBytes(),
        ranks.allReduce(writing.nanoseconds(), Reduction.MAX) / 1e9,
        found.seconds(),
        found.verification());
  }
}
