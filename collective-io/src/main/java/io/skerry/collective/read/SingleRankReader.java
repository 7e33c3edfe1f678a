package io.skerry.collective.read;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.SliceReader;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.request.DefinedRequest;
import io.skerry.cache.request.ReadRequest;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.chunk.bytes.Leases;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.chunk.content.PackedContent;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkRows;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.format.ChunkFormat.Definedness;
import io.skerry.chunk.format.EncodedSize;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.collective.core.FileContext;
import io.skerry.collective.core.PresentChunks;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.TypedMemory;
import io.skerry.collective.view.ChunkImageReader;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads through the cache, without other ranks. Thread-safe. In a file of a single rank, reads
 * return all written values, flushed or not. In a file of several ranks, they return the values as
 * of the last flush.
 *
 * <p>A small block from chunks in memory is read without a lock and without access to memory that
 * other threads write.
 */
public final class SingleRankReader {
  /** The number of bytes above which a read of several chunks is divided among the workers. */
  private static final long SMALL = 64 << 10;

  /** The number of bytes up to which a read of several rows first gathers them in an array. */
  private static final long FEW = 4 << 10;

  private final FileContext context;
  private final ChunkImageReader images;
  private final PresentChunks present;
  private final ThreadLocal<MemorySegment> stages =
      ThreadLocal.withInitial(() -> HeapBytes.allocate(FEW));

  public SingleRankReader(FileContext context, ChunkImageReader images) {
    this.context = context;
    this.images = images;
    this.present = new PresentChunks(context);
  }

  /**
   * Reads the selected values in selection order; undefined elements are read as the fill value.
   *
   * @param selection a selection that denotes the same elements in every extent that contains it
   * @param memory the memory to fill
   */
  public void read(ChunkedDataset dataset, Selection selection, TypedMemory memory) {
    SliceTarget wanted = new SliceTarget(dataset, memory);
    var unused =
        inside(
            dataset,
            selection,
            shape -> {
              List<ChunkSlice> slices = dataset.grid().cut(selection, shape);
              cache().read(request(wanted, selection, slices));
              return true;
            });
  }

  /**
   * Reads a small block from chunks in memory, the usual case of small reads, and creates as few
   * objects as possible. Does not use any resource that closing the file releases.
   *
   * @return true if the block was read, and the extent did not shrink meanwhile; if false, the
   *     caller has to use {@link #read}
   */
  public boolean readsFromMemory(ChunkedDataset dataset, Selection selection, TypedMemory memory) {
    List<ChunkRows> rows = dataset.grid().rows(selection);
    if (rows.isEmpty()
        || rows.size() > 1 && memory.values().byteSize() > SMALL
        || !memory.conversion().isIdentity()) {
      return false;
    }
    int cuts = dataset.cuts();
    selection.checkWithin(dataset.shape());
    DatasetChunks chunks = dataset.chunks();
    MemorySegment values = memory.values();
    ChunkRows first = rows.getFirst();
    // Copying short rows is faster between arrays than between arbitrary segments.
    boolean staged = values.byteSize() <= FEW && (first.rows() > 1 || rows.size() > 1);
    MemorySegment block = staged ? stage(values.byteSize()) : values;
    if (rows.size() == 1) {
      Optional<MemoryChunk> held = cache().peek(chunks, chunks.numbers().number(first));
      if (held.isEmpty()) {
        return false;
      }
      dataset.format().readRows(held.get(), first, block);
    } else {
      List<MemoryChunk> held = cache().peek(chunks, rows);
      if (held.isEmpty()) {
        return false;
      }
      for (int i = 0; i < held.size(); i++) {
        dataset.format().readRows(held.get(i), rows.get(i), block);
      }
    }
    if (staged) {
      MemorySegment.copy(block, 0, values, 0, values.byteSize());
    }
    return dataset.cuts() == cuts;
  }

  /** Returns memory that the calling thread may use until its next read. */
  private MemorySegment stage(long bytes) {
    // There may be millions of virtual threads that read only once, so no memory is kept for them.
    return Thread.currentThread().isVirtual()
        ? HeapBytes.allocate(bytes)
        : stages.get().asSlice(0, bytes);
  }

  /**
   * Runs a reader, and runs it again if the extent has shrunk during the read. Requests wait for a
   * change of the extent that is in progress, and the selection may be outside the extent
   * afterwards.
   *
   * @param reader reads the selection within the given extent
   */
  private static <T> T inside(
      ChunkedDataset dataset, Selection selection, Function<Shape, T> reader) {
    while (true) {
      int cuts = dataset.cuts();
      Shape shape = dataset.shape();
      selection.checkWithin(shape);
      T result = reader.apply(shape);
      if (dataset.cuts() == cuts) {
        return result;
      }
    }
  }

  /**
   * Reads the values as of the last flush, in a file of several ranks. The caller must hold a
   * ticket to read.
   */
  void readStored(ChunkedDataset dataset, Selection selection, Supplier<TypedMemory> buffer) {
    selection.checkWithin(dataset.shape());
    TypedMemory target = buffer.get();
    SliceTarget wanted = new SliceTarget(dataset, target);
    Scatter reader = new Scatter(wanted);
    List<ChunkSlice> slices = pastUnstored(dataset, cut(dataset, selection), reader::read);
    cache().readHolding(request(wanted, selection, slices));
  }

  private ReadRequest request(SliceTarget wanted, Selection selection, List<ChunkSlice> slices) {
    return new ReadRequest(
        wanted.dataset().chunks(),
        selection,
        slices,
        new Scatter(wanted),
        List.of(wanted.target().values()));
  }

  /**
   * Reads slices from the file if an unstored version of their chunk is in memory, since the cached
   * version must not be used.
   *
   * @return the remaining slices, which can be read through the cache
   */
  private List<ChunkSlice> pastUnstored(
      ChunkedDataset dataset, List<ChunkSlice> slices, BiConsumer<ChunkSlice, MemoryChunk> reader) {
    List<ChunkSlice> others = new ArrayList<>();
    for (ChunkSlice slice : slices) {
      ChunkKey key = ChunkKey.of(dataset.id(), slice.scaled());
      if (cache().unstored(key).isPresent()) {
        context
            .store()
            .load(
                List.of(key),
                context.workers().crew(List.of()),
                (_, chunk) -> reader.accept(slice, chunk));
      } else {
        others.add(slice);
      }
    }
    return others;
  }

  private static List<ChunkSlice> cut(ChunkedDataset dataset, Selection selection) {
    return dataset.grid().cut(selection, dataset.shape());
  }

  /** Reads the slice of each chunk and scatters the values into the caller's memory. */
  private final class Scatter implements SliceReader {
    private final SliceTarget wanted;
    private final Optional<InPlaceReader> inPlace;

    Scatter(SliceTarget wanted) {
      this.wanted = wanted;
      this.inPlace =
          wanted.target().conversion().isIdentity()
              ? Optional.of(new InPlaceReader(images, wanted.dataset(), wanted.target().values()))
              : Optional.empty();
    }

    @Override
    public void read(ChunkSlice slice, MemoryChunk chunk) {
      try (Leases leases = new Leases(context.pool())) {
        wanted.take(slice, chunk, leases);
      }
    }

    /**
     * Bypasses the cache for chunks whose decoding is free, and for all chunks if the read would
     * evict them before it ends.
     */
    @Override
    public boolean readPast(ChunkSlice slice, Pressure pressure) {
      ChunkedDataset dataset = wanted.dataset();
      boolean plain = dataset.format().encodedSize() instanceof EncodedSize.Exactly;
      if (!plain && pressure == Pressure.NONE) {
        return false;
      }
      ChunkKey key = ChunkKey.of(dataset.id(), slice.scaled());
      Optional<ChunkRecord> record = context.store().record(key);
      if (record.isEmpty()) {
        return false;
      }
      if (inPlace.isPresent() && inPlace.get().read(slice, record.get())) {
        return true;
      }
      try (Leases leases = new Leases(context.pool())) {
        ChunkImage image = images.readAlone(record.get(), leases);
        wanted.takeStored(slice, key, context.store().format(key), image, leases);
      }
      return true;
    }
  }

  /** Reads the selected elements with their variable-length content, in selection order. */
  public PackedContent readContent(ChunkedDataset dataset, Selection selection) {
    return inside(
        dataset,
        selection,
        shape -> {
          Shares shares = new Shares(dataset, shape);
          cache().read(shares.request(selection, dataset.grid().cut(selection, shape)));
          return shares.assemble(selection);
        });
  }

  /**
   * Reads elements with their variable-length content, under the same conditions as {@link
   * #readStored}.
   */
  PackedContent readStoredContent(ChunkedDataset dataset, Selection selection) {
    selection.checkWithin(dataset.shape());
    Shares shares = new Shares(dataset, dataset.shape());
    cache()
        .readHolding(
            shares.request(
                selection, pastUnstored(dataset, cut(dataset, selection), shares::read)));
    return shares.assemble(selection);
  }

  /** Collects the elements of each chunk with their variable-length content. */
  private static final class Shares {
    private final ChunkedDataset dataset;
    private final Shape shape;
    private final List<ContentPacking.Share> shares = new ArrayList<>();

    Shares(ChunkedDataset dataset, Shape shape) {
      this.dataset = dataset;
      this.shape = shape;
    }

    ReadRequest request(Selection selection, List<ChunkSlice> slices) {
      return new ReadRequest(dataset.chunks(), selection, slices, this::read, List.of());
    }

    void read(ChunkSlice slice, MemoryChunk chunk) {
      MemorySegment packed =
          dataset
              .format()
              .readPacked(chunk, slice.elements(), (bytes, _) -> HeapBytes.allocate(bytes));
      synchronized (shares) {
        shares.add(new ContentPacking.Share(slice, packed));
      }
    }

    PackedContent assemble(Selection selection) {
      return dataset
          .format()
          .contentPacking()
          .orElseThrow()
          .assemble(selection.count(shape), shares);
    }
  }

  /** Returns the defined elements among the selected ones. A point selection keeps its order. */
  public Selection defined(ChunkedDataset dataset, Selection selection) {
    return inside(
        dataset,
        selection,
        shape -> {
          if (dataset.format().definedness() == Definedness.ALL) {
            dataset.requirePresence();
            return dataset.everything(selection, shape);
          }
          Parts parts = new Parts(dataset);
          cache().defined(parts.request(selection, present.slices(dataset, selection, shape)));
          return parts.of(selection);
        });
  }

  /**
   * Returns the selected elements that are defined in the file, under the same conditions as {@link
   * #readStored}.
   */
  Selection storedDefined(ChunkedDataset dataset, Selection selection) {
    selection.checkWithin(dataset.shape());
    if (dataset.format().definedness() == Definedness.ALL) {
      return dataset.everything(selection, dataset.shape());
    }
    Parts parts = new Parts(dataset);
    List<ChunkSlice> others =
        pastUnstored(
            dataset,
            present.storedSlices(dataset, selection),
            (slice, chunk) -> parts.take(slice, dataset.format().defined(chunk, slice.elements())));
    cache().definedHolding(parts.request(selection, () -> others));
    return parts.of(selection);
  }

  /** Collects the defined elements of each chunk. */
  private static final class Parts {
    private final ChunkedDataset dataset;
    private final List<Selection> found = new ArrayList<>();

    Parts(ChunkedDataset dataset) {
      this.dataset = dataset;
    }

    DefinedRequest request(Selection selection, Supplier<List<ChunkSlice>> slices) {
      return new DefinedRequest(dataset.chunks(), selection, slices, this::take);
    }

    void take(ChunkSlice slice, RunSet defined) {
      Selection part = dataset.grid().toDataset(defined, slice.scaled());
      synchronized (found) {
        found.add(part);
      }
    }

    Selection of(Selection selection) {
      // A point selection remains one, with its order and its repetitions.
      return selection.intersect(Selection.unionAll(found));
    }
  }

  private ChunkCache cache() {
    return context.cache();
  }
}
