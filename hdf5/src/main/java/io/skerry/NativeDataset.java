package io.skerry;

import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.ContentPacking;
import io.skerry.chunk.PackedContent;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Conversion;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.ChunkedDataset;
import io.skerry.collective.ContiguousDataset;
import io.skerry.collective.Operation;
import io.skerry.collective.TypedMemory;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.connector.StoredDataset;
import io.skerry.format.Bytes;
import io.skerry.format.FileAddress;
import io.skerry.format.object.CompactLayout;
import io.skerry.format.object.ContiguousLayout;
import io.skerry.format.object.DataspaceMessage;
import io.skerry.format.object.LayoutMessage;
import io.skerry.format.object.ObjectHeader;
import io.skerry.value.OwnedContent;
import io.skerry.value.PackedContents;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import io.skerry.value.ValueReader;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** A dataset of an HDF5 file. */
final class NativeDataset implements StoredDataset {
  private final NativeFile file;
  private final String path;
  private final long address;
  private final Datatype datatype;
  private final Shape shapeAtOpening;
  private final Optional<MemorySegment> fill;
  private final Storage storage;

  NativeDataset(
      NativeFile file,
      String path,
      long address,
      Datatype datatype,
      Shape shape,
      Optional<MemorySegment> fill,
      Storage storage) {
    this.file = file;
    this.path = path;
    this.address = address;
    this.datatype = datatype;
    this.shapeAtOpening = shape;
    this.fill = fill;
    this.storage = storage;
  }

  @Override
  public String path() {
    return path;
  }

  @Override
  public Shape shape() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset)
        ? dataset.shape()
        : shapeAtOpening;
  }

  @Override
  public boolean isNull() {
    return file.tree()
        .header(address)
        .find(DataspaceMessage.class)
        .filter(space -> space.kind() == DataspaceMessage.Kind.NULL)
        .isPresent();
  }

  @Override
  public NativeFile file() {
    return file;
  }

  @Override
  public Datatype datatype() {
    return datatype;
  }

  /** What its object header says. */
  ObjectHeader header() {
    return file.tree().header(address);
  }

  @Override
  public StorageInfo storage() {
    return StorageInfo.of(header());
  }

  @Override
  public StorageUsage usage() {
    return switch (kept()) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          StorageUsage.of(dataset.index(), file.tree().source());
      case Storage.Contiguous(Optional<Long> block) ->
          new StorageUsage(
              0, block.isPresent() ? shapeAtOpening.elements() * datatype.size() : 0, 0);
      case Storage.External _ ->
          new StorageUsage(0, shapeAtOpening.elements() * datatype.size(), 0);
      case Storage.Compact _, Storage.Virtual _ -> new StorageUsage(0, 0, 0);
    };
  }

  @Override
  public boolean isSparse() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset)
        && dataset.format().definedness() == ChunkFormat.Definedness.WRITTEN;
  }

  @Override
  public Attributes attributes() {
    return new Attributes(file, path, address);
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    Supplier<TypedMemory> typed = () -> new TypedMemory(values, toFile(memory));
    switch (kept()) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          change(
              Operation.WRITE,
              () -> WriteRequest.values(dataset, selection, values, toFile(memory)));
      case Storage.Contiguous(Optional<Long> block) ->
          file.collective()
              .write(
                  new ContiguousDataset(path, shape(), fillElement(), block),
                  () -> new ContiguousDataset.Part(selection, values, toFile(memory)),
                  taken ->
                      file.tree()
                          .replace(address, new ContiguousLayout(taken.address(), taken.length())));
      case Storage.Compact _ ->
          new CompactWriter(file, path, address, shape(), datatype.size()).write(selection, typed);
      case Storage.External _ ->
          throw new UnsupportedFeatureException("writing to external data files", path);
      case Storage.Virtual _ ->
          throw new UnsupportedFeatureException("writing to a virtual dataset", path);
    }
  }

  /**
   * How values of a memory type get into the file.
   *
   * @throws UnsupportedFeatureException if they do not
   */
  private Conversion toFile(Datatype memory) {
    Conversion conversion = Conversion.between(memory, datatype, path);
    if (!conversion.isIdentity() && OwnedContent.isPartOf(memory)) {
      throw new UnsupportedFeatureException(
          "writing descriptors of variable length of type " + memory + "; write values instead",
          path);
    }
    return conversion;
  }

  /** How chunks pack elements with their content; empty if content is in the global heap. */
  Optional<ContentPacking> packing() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset)
        ? dataset.format().contentPacking()
        : Optional.empty();
  }

  /** Whether elements own content in the global heap, which has to go with them. */
  boolean ownsHeapContent() {
    return OwnedContent.isPartOf(datatype) && packing().isEmpty();
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    if (packing().isPresent()) {
      ElementEncoder encoder = new ElementEncoder(file);
      Supplier<MemorySegment> packed = encoder.packed(path, datatype, values);
      change(Operation.WRITE, () -> WriteRequest.values(chunked(), selection, packed.get()));
      return;
    }
    new ContentWriter(file, this).write(selection, values);
    if (!(storage instanceof Storage.Chunked)) {
      // Values in place change no metadata, but the file has grown by what the heap holds.
      file.tree().change(address, entries -> entries);
    }
  }

  @Override
  public byte[] fillValue() {
    return fillElement().toArray(ValueLayout.JAVA_BYTE);
  }

  /** What elements are that nobody wrote. */
  MemorySegment fillElement() {
    return fill.orElseGet(() -> MemorySegment.ofArray(new byte[datatype.size()]));
  }

  /** How the values are kept now: the first write gives a contiguous dataset its block. */
  Storage kept() {
    if (storage instanceof Storage.Chunked
        || storage instanceof Storage.External
        || storage instanceof Storage.Virtual) {
      return storage;
    }
    return switch (file.tree().header(address).require(LayoutMessage.class)) {
      case CompactLayout(Bytes data) -> new Storage.Compact(data.segment());
      case ContiguousLayout(long block, _) ->
          new Storage.Contiguous(
              FileAddress.isDefined(block) ? Optional.of(block) : Optional.empty());
      default -> storage;
    };
  }

  @Override
  public void erase(Selection selection) {
    change(
        Operation.ERASE,
        () -> {
          if (!isSparse()) {
            throw new UnsupportedFeatureException("erasing elements of a dense dataset", path);
          }
          return WriteRequest.erasure(chunked(), selection);
        });
  }

  /** Has all chunks stored with the fill value, which is how they get their places. Collective. */
  void takeSpace() {
    if (shape().elements() > 0) {
      Selection first = Selection.at(new long[shape().rank()]);
      change(Operation.WRITE, () -> new WriteRequest(chunked(), first, new WriteRequest.Removal()));
    }
  }

  private void change(Operation operation, Supplier<WriteRequest> request) {
    file.collective().write(operation, path, request);
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget wanted) {
    if (packing().isPresent()) {
      throw new UnsupportedFeatureException(
          "reading elements without the content that their chunks hold; read values instead", path);
    }
    // Memory that cannot be had on one rank must fail the read on all, so it is made inside.
    Supplier<TypedMemory> typed = () -> typed(selection, memory, wanted);
    switch (storage) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          file.collective().read(dataset, selection, typed);
      case Storage.Contiguous _, Storage.External _, Storage.Compact _ ->
          readTogether(
              typed,
              target ->
                  new FlatReader(file, shapeAtOpening, datatype.size(), fill, kept())
                      .read(selection, target));
      case Storage.Virtual(VirtualParts parts) ->
          readTogether(
              typed,
              target -> {
                FlatReader.fill(target, fill);
                new VirtualReader(parts, file.sources(), shapeAtOpening, memory, path)
                    .read(selection, target.values());
              });
    }
  }

  /** Nothing is read before all ranks know that all of them can take it. */
  private void readTogether(Supplier<TypedMemory> typed, Consumer<TypedMemory> read) {
    file.collective()
        .together(
            Operation.READ,
            path,
            "",
            typed::get,
            target -> {
              read.accept(target);
              return true;
            });
  }

  private TypedMemory typed(Selection selection, Datatype memory, ReadTarget wanted) {
    Conversion conversion = Conversion.between(datatype, memory, path);
    selection.checkWithin(shape());
    long count = selection.count(shape());
    MemorySegment values = wanted.make(count);
    long expected = Math.multiplyExact(count, memory.size());
    if (values.byteSize() < expected) {
      throw new IllegalArgumentException(
          "the buffer is too small: expectedBytes="
              + expected
              + " actualBytes="
              + values.byteSize());
    }
    return new TypedMemory(values.asSlice(0, expected), conversion);
  }

  /** Reads elements as they are in the file. Collective. */
  byte[] readBytes(Selection selection) {
    List<byte[]> made = new ArrayList<>(1);
    read(
        selection,
        datatype,
        elements -> {
          made.add(new byte[Packed.length(elements, datatype.size(), path)]);
          return MemorySegment.ofArray(made.getFirst());
        });
    return made.getFirst();
  }

  @Override
  public StoredElements readElements(Selection selection) {
    if (packing().isEmpty()) {
      return new StoredElements(MemorySegment.ofArray(readBytes(selection)), file.contents());
    }
    PackedContent packed = file.collective().readContent(chunked(), selection);
    return new StoredElements(packed.elements(), new PackedContents(file.contents(), packed));
  }

  @Override
  public List<Value> readValues(Selection selection) {
    StoredElements read = readElements(selection);
    return file.collective()
        .together(
            Operation.READ,
            path,
            "",
            () ->
                new ValueReader(read.contents())
                    .readAll(datatype, read.packed(), read.packed().byteSize() / datatype.size()));
  }

  @Override
  public Selection defined(Selection selection) {
    if (storage instanceof Storage.Chunked(ChunkedDataset dataset)) {
      return file.collective().defined(dataset, selection);
    }
    return selection;
  }

  @Override
  public ChunkTable chunks() {
    return nativeChunks().table();
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    nativeChunks().write(images);
  }

  private NativeChunks nativeChunks() {
    return new NativeChunks(file, chunked("chunks of a dataset that has none"));
  }

  @Override
  public StorageStatistics statistics() {
    return switch (kept()) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          new NativeChunks(file, dataset).statistics(header());
      case Storage.Contiguous _, Storage.External _ -> StorageStatistics.flat(usage(), elements());
      case Storage.Compact(MemorySegment data) ->
          StorageStatistics.flat(new StorageUsage(0, data.byteSize(), 0), elements());
      case Storage.Virtual _ -> StorageStatistics.flat(new StorageUsage(0, 0, 0), elements());
    };
  }

  private long elements() {
    return isNull() ? 0 : shape().elements();
  }

  @Override
  public void extendTo(long... extent) {
    ChunkedDataset dataset = chunked();
    LostContent lost = new LostContent(file);
    file.collective()
        .extend(
            dataset,
            extent,
            () -> lost.outside(dataset, fillElement(), extent),
            () -> file.tree().resized(dataset));
    lost.release();
  }

  private ChunkedDataset chunked() {
    return chunked("changing a dataset that is not chunked");
  }

  /**
   * @param what for whoever asks for that of a dataset of another layout
   */
  private ChunkedDataset chunked(String what) {
    if (storage instanceof Storage.Chunked(ChunkedDataset dataset)) {
      return dataset;
    }
    throw new UnsupportedFeatureException(what, path);
  }
}
