package io.skerry.jobs.lcls;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.jobs.file.InputFile;
import io.skerry.jobs.file.OutputFile;
import io.skerry.jobs.file.OutputPlace;
import io.skerry.jobs.frame.FrameReader;
import io.skerry.jobs.frame.FrameShape;
import io.skerry.jobs.frame.Provenance;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Trust;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Locale;

/**
 * Stores frames batch by batch in the files of an unfinished run. Collective over the ranks that
 * share the files; one object per rank.
 *
 * <p>The attribute {@value #FRAMES_DONE} holds the number of frames that are complete in all
 * datasets. The extents of the datasets may be larger: a file may be flushed within a batch if
 * memory is short, and two files are flushed one after another.
 */
final class FrameStore {
  static final String EVENTS = "/entry/events";
  static final String FULL = "/entry/full";
  static final String FULL_INDEX = "/entry/full_index";
  static final String SPOT_COUNTS = "/entry/spot_counts";

  /** The attribute of {@link #SPOT_COUNTS} that holds the number of complete frames. */
  static final String FRAMES_DONE = "frames_done";

  /** The attribute of {@link #EVENTS} that holds the index of the first frame of a rank's file. */
  static final String FIRST_FRAME = "first_frame";

  /** The maximum number of pixels in a sparse chunk, unless a single row has more. */
  private static final long CHUNK_PIXELS = 1L << 23;

  private final H5File main;
  private final H5File sparse;
  private final Dataset events;
  private final Dataset counts;
  private final FullFrames full;
  private final FrameShape shape;
  private final Datatype memory;
  private long done;

  private FrameStore(
      H5File main,
      H5File sparse,
      Dataset events,
      Dataset counts,
      FullFrames full,
      FrameReader source,
      long done) {
    this.main = main;
    this.sparse = sparse;
    this.events = events;
    this.counts = counts;
    this.full = full;
    this.shape = source.shape();
    this.memory = FrameReader.memory(source.pixelType());
    this.done = done;
  }

  /** The files of a run: the main file, and the file of the sparse data, which may be the same. */
  private record Files(H5File main, H5File sparse) {
    static Files create(Path file) {
      H5File own = OutputFile.createNew(file, Communicator.self());
      return new Files(own, own);
    }

    static Files create(OutputPlace place, LclsOptions options, Communicator ranks) {
      H5File main = OutputFile.createNew(place.mainFile(), ranks);
      return switch (options.placement()) {
        case ONE_FILE, FILE_PER_RANK -> new Files(main, main);
        case SPLIT -> {
          H5File sparse = OutputFile.createNew(place.made(options.eventsFile()), ranks);
          String name = String.valueOf(options.eventsFile().getFileName());
          main.createExternalLink(EVENTS, name, EVENTS);
          yield new Files(main, sparse);
        }
      };
    }

    static Files open(OutputPlace place, LclsOptions options, Communicator ranks) {
      H5File main = InputFile.openForWriting(place.mainFile(), ranks, Trust.SAME_FOLDER);
      return switch (options.placement()) {
        case ONE_FILE, FILE_PER_RANK -> new Files(main, main);
        case SPLIT ->
            new Files(
                main,
                InputFile.openForWriting(
                    place.made(options.eventsFile()), ranks, Trust.SAME_FOLDER));
      };
    }
  }

  /** Creates the files and datasets of a new run; the datasets contain no frames yet. */
  static FrameStore create(
      OutputPlace place, LclsOptions options, FrameReader source, Communicator ranks) {
    return create(Files.create(place, options, ranks), options, source, 0);
  }

  /**
   * Creates the file of one rank and its datasets, which contain no frames yet. Local.
   *
   * @param source the frames of the run, beginning with the first frame of the file
   * @param first the index in the run of the first frame of the file, to be stored in the attribute
   *     {@value #FIRST_FRAME}
   */
  static FrameStore create(Path file, LclsOptions options, FrameReader source, long first) {
    FrameStore store = create(Files.create(file), options, source, first);
    store.events.setAttribute(Attribute.of(FIRST_FRAME, first));
    return store;
  }

  private static FrameStore create(
      Files files, LclsOptions options, FrameReader source, long first) {
    Dataset events = createEvents(files.sparse(), options, source);
    Dataset counts =
        files.main().createDataset(SPOT_COUNTS, growing(Datatype.U32, source.shape().frames()));
    FullFrames full = FullFrames.create(files.main(), source, options.every(), first);
    return new FrameStore(files.main(), files.sparse(), events, counts, full, source, 0);
  }

  /**
   * Opens the files of an interrupted run and removes the frames of an incomplete last batch, if
   * there is one.
   */
  static FrameStore resume(
      OutputPlace place, LclsOptions options, FrameReader source, Communicator ranks) {
    Files files = Files.open(place, options, ranks);
    Dataset events = files.sparse().dataset(EVENTS);
    Dataset counts = files.main().dataset(SPOT_COUNTS);
    FullFrames full = FullFrames.open(files.main(), source, options.every());
    long done = counts.attribute(FRAMES_DONE).orElseThrow().longs()[0];
    events.extend(done);
    counts.extend(done);
    full.extend(done);
    return new FrameStore(files.main(), files.sparse(), events, counts, full, source, done);
  }

  private static Dataset createEvents(H5File file, LclsOptions options, FrameReader source) {
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
    describe(events, options, source);
    return events;
  }

  /** Sets the attributes of the dataset that holds the kept pixels. Collective. */
  static void describe(Dataset events, LclsOptions options, FrameReader source) {
    events.setAttribute(Attribute.of("units", source.units()));
    events.setAttribute(Attribute.of("selection", selection(options)));
    events.setAttribute(Attribute.of("source", Provenance.of(options.source())));
    events.setAttribute(Attribute.of("creator", Provenance.creator()));
  }

  /** Returns the attribute value that names the kind of kept pixels. */
  static String selection(LclsOptions options) {
    return options.mode().name().toLowerCase(Locale.ROOT);
  }

  /**
   * Returns the specification of an empty dataset that grows as frames are stored.
   *
   * @param expected the expected number of elements
   */
  static DatasetSpec growing(Datatype type, long expected) {
    return DatasetSpec.of(type, Shape.of(0).unlimited(0))
        .chunked(Math.clamp(expected, 1, 4096))
        .filters(Filters.shuffle(), Filters.deflate(4));
  }

  /** Returns the number of complete frames. */
  long framesDone() {
    return done;
  }

  /** Returns the size of the stored full frames in the file, in bytes. Local. */
  long fullBytes() {
    return full.bytes();
  }

  /**
   * Stores the frames of a batch. They are durable when the method returns.
   *
   * @param loaded the frames of this rank
   * @param end the total number of frames in the file after this batch
   */
  void store(LoadedFrames loaded, long end) {
    SelectedPixels found = loaded.kept();
    events.extend(end);
    counts.extend(end);
    events.write(found.selection(), memory, found.values());
    counts.write(loaded.share().selection(), found.spots());
    full.write(loaded, end, shape);
    if (!sparse.equals(main)) {
      sparse.flush();
    }
    counts.setAttribute(Attribute.of(FRAMES_DONE, end));
    main.flush();
    done = end;
  }

  void close() {
    try {
      if (!sparse.equals(main)) {
        sparse.close();
      }
    } finally {
      main.close();
    }
  }

  /** Closes the files without flushing them. Each file keeps the state of its last flush. */
  void discard() {
    main.discard();
    sparse.discard();
  }
}
