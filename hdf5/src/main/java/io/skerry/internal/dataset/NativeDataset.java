package io.skerry.internal.dataset;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.VirtualLayout;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.content.ContentPacking;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.datatype.Datatype;
import io.skerry.format.header.ObjectHeader;
import io.skerry.internal.value.FillValue;
import io.skerry.internal.value.OwnedContent;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredDataset;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** A dataset of an HDF5 file. */
public final class NativeDataset implements StoredDataset {
  private final HdfFile file;
  private final ObjectPath path;
  private final long address;
  private final FillValue fill;
  private final Storage storage;

  /**
   * Keeps the state of the chunks in the file's directory of open datasets as long as this object
   * is reachable.
   */
  private final Optional<ChunkedDataset.Hold> hold;

  private final boolean hasNullSpace;
  private final FlatLocks.Presence presence;
  private final DatasetReader reader;

  /**
   * The storage that {@link #kept} last found; initially, the storage as opened. The address of a
   * contiguous block in it is valid until the dataset is deleted.
   */
  private volatile Storage placed;

  /** The extent of a dataset without chunks, as opened or as last changed through this object. */
  private volatile Shape flatShape;

  /**
   * Creates access to an open dataset.
   *
   * @param address the address of the object header
   * @param shape the extent at the time when the dataset is opened
   * @param fill the datatype of the elements, and their fill value
   */
  public NativeDataset(
      HdfFile file, ObjectPath path, long address, Shape shape, FillValue fill, Storage storage) {
    this.file = file;
    this.path = path;
    this.address = address;
    this.flatShape = shape;
    this.fill = fill;
    this.storage = storage;
    this.placed = storage;
    this.hold =
        storage instanceof Storage.Chunked(ChunkedDataset chunks)
            ? Optional.of(chunks.hold())
            : Optional.empty();
    this.presence = file.gate().exclusively(() -> file.flatLocks().presence(address));
    this.hasNullSpace = DatasetSpecification.hasNullSpace(header());
    this.reader =
        new DatasetReader(file, this, storage, new ReadAccess.Collective(file.collective()));
  }

  @Override
  public String path() {
    return path.toString();
  }

  @Override
  public ObjectPath location() {
    return path;
  }

  @Override
  public Shape shape() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset) ? dataset.shape() : flatShape;
  }

  @Override
  public boolean isNull() {
    return hasNullSpace;
  }

  @Override
  public HdfFile file() {
    return file;
  }

  @Override
  public Datatype datatype() {
    return fill.type();
  }

  /** Returns the object header. */
  public ObjectHeader header() {
    return file.gate().exclusively(() -> file.tree().header(address));
  }

  @Override
  public StorageInfo storage() {
    return file.gate()
        .exclusively(() -> {
          requirePresence();
          return StorageReport.info(file.tree().header(address));
        });
  }

  @Override
  public DatasetSpec specification() {
    return DatasetSpecification.of(this, file);
  }

  @Override
  public StorageInfo.Usage usage() {
    try {
      return file.gate().exclusively(this::usageNow);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private StorageInfo.Usage usageNow() {
    requirePresence();
    return kept().usage(file, () -> flatShape.elements() * datatype().size());
  }

  @Override
  public Optional<VirtualLayout> virtualLayout() {
    return storage instanceof Storage.Virtual(VirtualContent content)
        ? Optional.of(content.layout())
        : Optional.empty();
  }

  @Override
  public List<String> refusedFiles() {
    return storage.refusedFiles(file);
  }

  @Override
  public Set<Path> elementFiles() {
    return storage.elementFiles(file);
  }

  @Override
  public boolean isSparse() {
    return storage.isSparse(file);
  }

  @Override
  public StoredAttributes attributes() {
    return file.attributes(path, address);
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    new DatasetWriter(file, this).write(selection, memory, values);
  }

  boolean isChunked() {
    return storage instanceof Storage.Chunked;
  }

  /**
   * Returns the form in which chunks pack elements with their variable-length content; empty if no
   * such content is in the chunks.
   */
  public Optional<ContentPacking> packing() {
    return storage.packing();
  }

  /**
   * Returns whether elements own content in the global heap, which must be released with the
   * elements.
   */
  boolean ownsHeapContent() {
    return OwnedContent.isPartOf(datatype()) && packing().isEmpty();
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    new DatasetWriter(file, this).writeValues(selection, values);
  }

  @Override
  public byte[] fillValue() {
    return fill.bytes(() -> "the fill value of " + path.shown() + " of " + file.path());
  }

  /** Returns the fill value; empty if none is defined. */
  Optional<MemorySegment> fill() {
    return fill.defined();
  }

  /** Records a new extent of a dataset without chunks. */
  void resized(Shape shape) {
    flatShape = shape;
  }

  /** Returns the address of the object header. */
  long address() {
    return address;
  }

  /** Returns the fill value, one element in the file datatype; zeros if none is defined. */
  public MemorySegment fillElement() {
    return fill.element();
  }

  /** Returns the storage as it was when the dataset was opened; its kind never changes. Local. */
  public Storage opened() {
    return storage;
  }

  /**
   * Returns the current storage, which can change: the first write allocates the block of a
   * contiguous dataset, and a write to a compact dataset replaces its bytes.
   */
  public Storage kept() {
    Storage known = placed;
    return switch (known) {
      case Storage.Chunked _, Storage.External _, Storage.Virtual _ -> known;
      case Storage.Contiguous(Optional<Long> block) when block.isPresent() -> known;
      case Storage.Contiguous _, Storage.Compact _ -> file.gate().exclusively(this::keptNow);
    };
  }

  private Storage keptNow() {
    requirePresence();
    placed = storage.at(header());
    return placed;
  }

  /**
   * Throws if the dataset was deleted. A caller that reads or writes elements that are not chunked
   * must hold the lock of the dataset in {@link FlatLocks} or have exclusive access to the file.
   *
   * @throws IllegalStateException if the dataset was deleted
   */
  public void requirePresence() {
    if (storage instanceof Storage.Chunked(ChunkedDataset dataset)) {
      dataset.requirePresence();
    } else {
      presence.require(path.shown());
    }
  }

  @Override
  public void erase(Selection selection) {
    new ChunkEditor(file, this).erase(selection);
  }

  /**
   * Requests space for all chunks of a new dataset with early allocation; the next flush fills it
   * with the fill value. Collective.
   */
  public void takeSpace() {
    new ChunkEditor(file, this).allocate();
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget wanted) {
    reader.read(selection, memory, wanted);
  }

  /** Reads elements in the file datatype. Collective. */
  byte[] readBytes(Selection selection) {
    return reader.readBytes(selection);
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return reader.readElements(selection);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return reader.readValues(selection);
  }

  @Override
  public Selection defined(Selection selection) {
    return reader.defined(selection);
  }

  @Override
  public StoredDataset independent() {
    if (!file.collective().needsOtherRanks()) {
      return this;
    }
    return local();
  }

  /** Returns access to the elements that involves no other rank, even within a collective step. */
  public StoredDataset local() {
    return local(ReadAccess.Reuse.LIKELY);
  }

  /**
   * Returns access to the elements like {@link #local}, for a caller that expects no further reads
   * of the same chunks: chunks that need no decoding are not kept in memory.
   */
  public StoredDataset localOnce() {
    return local(ReadAccess.Reuse.UNLIKELY);
  }

  private StoredDataset local(ReadAccess.Reuse reuse) {
    return new IndependentDataset(
        this,
        () ->
            new DatasetReader(
                file, this, storage, new ReadAccess.Independent(file.collective(), reuse)));
  }

  /** Writes elements at fixed addresses, without the other ranks. Local. */
  void writeIndependently(Selection selection, Datatype memory, MemorySegment values) {
    new DatasetWriter(file, this).writeIndependently(selection, memory, values);
  }

  @Override
  public ChunkTable chunks() {
    return alone(Operation.READ, () -> nativeChunks().table());
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    try {
      nativeChunks().write(images);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  private NativeChunks nativeChunks() {
    return new NativeChunks(file, storage.chunked("chunks of a dataset that has none", path));
  }

  @Override
  public StorageStatistics statistics() {
    return alone(Operation.READ, () -> StorageReport.statistics(this, file));
  }

  /**
   * Runs several steps as one collective operation. Between the steps, no other thread can run an
   * operation that needs exclusive access to the file.
   */
  <T> T alone(Operation operation, Supplier<T> steps) {
    try {
      return file.gate().collectively(operation, path.shown(), steps);
    } finally {
      Reference.reachabilityFence(this);
    }
  }

  long elements() {
    return isNull() ? 0 : shape().elements();
  }

  @Override
  public void extendTo(long... extent) {
    new ChunkEditor(file, this).extendTo(extent);
  }

  /**
   * Returns a hold on the state of the chunks, for objects that outlive this one; empty if the
   * dataset is not chunked.
   */
  public Optional<ChunkedDataset.Hold> hold() {
    return hold;
  }

  ChunkedDataset chunked() {
    return storage.chunked("changing a dataset that is not chunked", path);
  }
}
