package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.ChunkLocator;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.core.Rounds;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.flush.CollectiveFlush;
import io.skerry.collective.owner.GridArea;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.exception.FormatException;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport.Departure;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.Supplier;

/**
 * Reads the selections of all ranks in one collective operation. It flushes first if the dataset
 * has unflushed changes on any rank, asks the index owners for the records of the chunks, fetches
 * the chunks with one collective vector read per round, and decodes them and scatters the elements
 * on worker threads.
 */
public final class CollectiveReader {
  /** A chunk is large if its stored size is at least 1/256 of the byte limit of a round. */
  private static final long PARTS = 256;

  private final FileContext context;
  private final CollectiveFlush flush;
  private final ChunkImageReader images;

  public CollectiveReader(FileContext context, CollectiveFlush flush, ChunkImageReader images) {
    this.context = context;
    this.flush = flush;
    this.images = images;
  }

  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   * Collective.
   *
   * @param buffer supplies the memory to fill
   */
  public void read(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> buffer) {
    run(
        Operation.READ,
        dataset,
        selection,
        () -> {
          TypedMemory target = buffer.get();
          return new Work(
              target.values(),
              (slice, source, memory) -> scatter(dataset, slice, source, target, memory),
              () -> {});
        });
  }

  /**
   * Reads the selected elements with their variable-length content, in selection order, from a
   * dataset whose chunks store both together. Undefined elements are read as the fill value.
   * Collective.
   */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    ContentPacking packing = dataset.format().contentPacking().orElseThrow();
    List<ContentPacking.Share> shares = new ArrayList<>();
    List<PackedContent> read = new ArrayList<>(1);
    run(
        Operation.READ,
        dataset,
        selection,
        () ->
            new Work(
                MemorySegment.NULL,
                (slice, source, memory) -> {
                  MemorySegment packed =
                      dataset
                          .format()
                          .readPacked(
                              chunk(dataset, read(source, memory)),
                              slice.elements(),
                              (bytes, _) -> HeapBytes.allocate(bytes));
                  synchronized (shares) {
                    shares.add(new ContentPacking.Share(slice, packed));
                  }
                },
                () -> read.add(packing.assemble(selection.count(dataset.shape()), shares))));
    return read.getFirst();
  }

  /**
   * Returns the defined elements among the selected ones. A point selection keeps its order.
   * Collective.
   */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    List<Selection> parts = new ArrayList<>();
    List<Selection> found = new ArrayList<>(1);
    Runnable end =
        dataset.format().definedness() == Definedness.ALL
            ? () -> found.add(dataset.everything(selection, dataset.shape()))
            // A point selection remains one, with its order and its repetitions.
            : () -> found.add(selection.intersect(Selection.unionAll(parts)));
    run(
        Operation.DEFINED,
        dataset,
        selection,
        () ->
            new Work(
                MemorySegment.NULL,
                (slice, source, memory) -> {
                  Selection part = definedPart(dataset, slice, read(source, memory));
                  synchronized (parts) {
                    parts.add(part);
                  }
                },
                end));
    return found.getFirst();
  }

  /** The source of the elements of a slice. */
  private sealed interface Source {}

  /** A chunk that is in memory. */
  private record Resident(MemoryChunk chunk) implements Source {}

  /** A chunk whose stored image has been read. */
  private record Stored(ChunkKey key, ChunkImage image) implements Source {}

  /** A stored chunk whose image the worker itself has to read. */
  private record AtRest(ChunkKey key, ChunkRecord record) implements Source {}

  /** A chunk that does not exist. */
  private record Absent() implements Source {}

  /** Processes the part of the selection in one chunk; runs on a worker thread. */
  @FunctionalInterface
  private interface SliceAction {
    void apply(ChunkSlice slice, Source source, Leases memory);
  }

  /**
   * The work of one read.
   *
   * @param memory the caller's memory that the actions access
   * @param action the action for each chunk
   * @param end combines the results of the actions; if it fails, the read fails
   */
  private record Work(MemorySegment memory, SliceAction action, Runnable end) {
    static final Work NONE = new Work(MemorySegment.NULL, (_, _, _) -> {}, () -> {});
  }

  private void run(
      Operation operation,
      ChunkedDataset dataset,
      Selection selection,
      Supplier<Work> preparation) {
    LocalStatus status = new LocalStatus();
    Sought sought =
        status.attempt(() -> sought(operation, dataset, selection), new Named(List.of()));
    Work work = status.attempt(preparation::get, Work.NONE);
    context.outcome().enter(operation, dataset.name(), status);
    context.meter().begin(operation, dataset.name());
    try {
      if (flush.runIfChanged(dataset, status)) {
        context.meter().departs(Departure.FLUSHED_FIRST);
      }
      Map<ChunkKey, ChunkSlice> wanted = new LinkedHashMap<>();
      ChunkLocator.Located located = locate(dataset, sought, wanted, status);
      List<List<ChunkKey>> rounds = rounds(wanted, located.records());
      long agreed = context.outcome().agree(status, rounds.size())[0];
      context.meter().rounds(agreed);
      for (int round = 0; round < agreed; round++) {
        List<ChunkKey> keys = round < rounds.size() ? rounds.get(round) : List.of();
        readRound(keys, wanted, located, work, status);
      }
      status.attempt(work.end::run);
      context.outcome().agree(status);
    } finally {
      context.outcome().leave();
    }
  }

  /** The chunks that an operation needs. */
  private sealed interface Sought {}

  /** All chunks that a selection touches. */
  private record Named(List<ChunkSlice> slices) implements Sought {}

  /** The existing chunks that a selection touches, if it touches very many chunks of the grid. */
  private record Existing(Selection selection, List<GridArea> areas) implements Sought {}

  private static Sought sought(Operation operation, ChunkedDataset dataset, Selection selection) {
    dataset.requirePresence();
    selection.checkWithin(dataset.shape());
    if (operation == Operation.DEFINED) {
      if (dataset.format().definedness() == Definedness.ALL) {
        return new Named(List.of());
      }
      if (PresentChunks.isWide(dataset, selection, dataset.shape())) {
        return new Existing(selection, GridArea.around(dataset, selection).stream().toList());
      }
    }
    return new Named(dataset.grid().cut(selection, dataset.shape()));
  }

  /**
   * Finds the chunks that this rank reads. Collective.
   *
   * @param wanted receives the slice to read from each chunk
   */
  private ChunkLocator.Located locate(
      ChunkedDataset dataset, Sought sought, Map<ChunkKey, ChunkSlice> wanted, LocalStatus status) {
    ChunkLocator locator = new ChunkLocator(context);
    return switch (sought) {
      case Named(List<ChunkSlice> slices) -> {
        take(dataset, slices, wanted);
        yield locator.locate(wanted.keySet(), status);
      }
      case Existing(Selection selection, List<GridArea> areas) -> {
        ChunkLocator.Located located = locator.locateAll(areas, status);
        status.attempt(() -> {
          Shape shape = dataset.shape();
          Selection part = dataset.grid().within(selection, located.chunks(dataset.id()), shape);
          take(dataset, dataset.grid().cut(part, shape), wanted);
        });
        yield located;
      }
    };
  }

  private static void take(
      ChunkedDataset dataset, List<ChunkSlice> slices, Map<ChunkKey, ChunkSlice> wanted) {
    for (ChunkSlice slice : slices) {
      wanted.put(ChunkKey.of(dataset.id(), slice.scaled()), slice);
    }
  }

  /**
   * Divides chunks into rounds by their stored sizes; chunks that are in memory or absent count as
   * 0 bytes.
   */
  private List<List<ChunkKey>> rounds(
      Map<ChunkKey, ChunkSlice> wanted, Map<ChunkKey, ChunkRecord> records) {
    return Rounds.split(
        wanted.keySet(),
        key -> records.containsKey(key) ? records.get(key).sections().size() : 0,
        context.options().readLimit());
  }

  private void readRound(
      List<ChunkKey> keys,
      Map<ChunkKey, ChunkSlice> wanted,
      ChunkLocator.Located located,
      Work work,
      LocalStatus status) {
    try (Leases leases = new Leases(context.pool())) {
      List<ChunkRecord> all = new ArrayList<>();
      for (ChunkKey key : keys) {
        Optional.ofNullable(located.records().get(key)).ifPresent(all::add);
      }
      status.attempt(() -> images.check(all));
      List<ChunkRecord> small = all.stream().filter(record -> !isLarge(record)).toList();
      Map<ChunkRecord, ChunkImage> fetched = images.read(small, leases, status);
      List<Callable<Boolean>> tasks = new ArrayList<>();
      for (ChunkKey key : keys) {
        ChunkSlice slice = Objects.requireNonNull(wanted.get(key));
        tasks.add(() -> {
          try (Leases own = new Leases(context.pool())) {
            work.action().apply(slice, source(key, located, fetched), own);
          }
          return true;
        });
      }
      status.attempt(() -> context.workers().runAll(List.of(work.memory()), tasks), List.of());
    }
  }

  /**
   * Returns whether a chunk is so large that a worker reads it independently. The worker decodes it
   * while it is still in the nearest processor cache and other chunks are being read. A collective
   * read of large chunks has no advantage.
   */
  private boolean isLarge(ChunkRecord record) {
    return record.sections().size() >= context.options().readLimit() / PARTS;
  }

  private Source source(
      ChunkKey key, ChunkLocator.Located located, Map<ChunkRecord, ChunkImage> fetched) {
    MemoryChunk resident = located.residents().get(key);
    if (resident != null) {
      return new Resident(resident);
    }
    ChunkRecord record = located.records().get(key);
    if (record == null) {
      return new Absent();
    }
    return isLarge(record)
        ? new AtRest(key, record)
        : new Stored(key, Objects.requireNonNull(fetched.get(record)));
  }

  private void scatter(
      ChunkedDataset dataset, ChunkSlice slice, Source source, TypedMemory target, Leases memory) {
    SliceTarget wanted = new SliceTarget(dataset, target);
    if (source instanceof AtRest(_, ChunkRecord record)
        && target.conversion().isIdentity()
        && new InPlaceReader(images, dataset, target.values()).read(slice, record)) {
      return;
    }
    Source read = read(source, memory);
    if (read instanceof Stored(ChunkKey key, ChunkImage image)
        && passesThrough(dataset, slice, target.values())) {
      wanted.takeStored(slice, key, dataset.format(key.chunk()), image, memory);
    } else {
      wanted.take(slice, chunk(dataset, read), memory);
    }
  }

  /** Reads a large chunk; returns other sources unchanged. */
  private Source read(Source source, Leases memory) {
    return source instanceof AtRest(ChunkKey key, ChunkRecord record)
        ? new Stored(key, images.readAlone(record, memory))
        : source;
  }

  private MemoryChunk chunk(ChunkedDataset dataset, Source source) {
    return switch (source) {
      case Resident(MemoryChunk resident) -> resident;
      case Stored(ChunkKey key, ChunkImage image) -> {
        MemoryChunk decoded = dataset.decode(key.chunk(), image);
        context.cache().putStored(key, decoded);
        yield decoded;
      }
      case Absent _ -> dataset.format().newChunk();
      case AtRest(ChunkKey key, _) -> throw notRead(key);
    };
  }

  private static IllegalStateException notRead(ChunkKey key) {
    return new IllegalStateException("a chunk that was not read: chunk=" + key);
  }

  /**
   * Returns whether a chunk bypasses the cache. This is the case if the chunk is read completely,
   * and either its decoding is free or the read is so large that only its last chunks would remain
   * in the cache.
   */
  private boolean passesThrough(ChunkedDataset dataset, ChunkSlice slice, MemorySegment packed) {
    return slice.coversWholeChunk()
        && (dataset.format().encodedSize() instanceof EncodedSize.Exactly
            || packed.byteSize() > context.cache().statistics().quiescent());
  }

  private static Selection definedPart(ChunkedDataset dataset, ChunkSlice slice, Source source) {
    RunSet defined =
        switch (source) {
          case Resident(MemoryChunk resident) ->
              dataset.format().defined(resident, slice.elements());
          case Stored(ChunkKey key, ChunkImage image) ->
              decodeDefined(dataset, key, image).intersect(slice.elements());
          case Absent _ ->
              switch (dataset.format().definedness()) {
                case ALL -> slice.elements();
                case WRITTEN -> RunSet.empty();
              };
          case AtRest(ChunkKey key, _) -> throw notRead(key);
        };
    return dataset.grid().toDataset(defined, slice.scaled());
  }

  private static RunSet decodeDefined(ChunkedDataset dataset, ChunkKey key, ChunkImage image) {
    try {
      return dataset.format(key.chunk()).decodeDefined(image);
    } catch (FormatException e) {
      throw e.inObject(dataset.name() + " chunk " + key.chunk());
    }
  }
}
