package io.skerry;

import io.skerry.chunk.ChunkFormat;
import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.chunk.type.FixedPoint;
import io.skerry.chunk.type.FloatingPoint;
import io.skerry.chunk.type.StringType;
import io.skerry.chunk.type.VariableLength;
import io.skerry.collective.ChunkedDataset;
import io.skerry.collective.ContiguousDataset;
import io.skerry.collective.Operation;
import io.skerry.collective.plan.WriteRequest;
import io.skerry.format.Bytes;
import io.skerry.format.FileAddress;
import io.skerry.format.object.CompactLayout;
import io.skerry.format.object.ContiguousLayout;
import io.skerry.format.object.DataspaceMessage;
import io.skerry.format.object.LayoutMessage;
import io.skerry.format.object.ObjectHeader;
import io.skerry.value.Value;
import io.skerry.value.ValueReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A dataset: an array of elements of one type. If it is sparse, only elements that were written
 * exist; the others read as the fill value.
 *
 * <p>Reads and writes are collective; each rank gives its own selection, {@link Selection#none()}
 * if it has nothing to do. Values are packed in selection order. Where ranks write the same element
 * in one call, the highest rank wins.
 */
public final class Dataset implements H5Object {
  private final H5File file;
  private final String path;
  private final long address;
  private final Datatype datatype;
  private final Shape shapeAtOpening;
  private final Optional<MemorySegment> fill;
  private final Storage storage;

  Dataset(
      H5File file,
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

  /** Current and maximum extent. Local. */
  public Shape shape() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset)
        ? dataset.shape()
        : shapeAtOpening;
  }

  /** Whether it has a type but no element, not even a single one: its dataspace is null. Local. */
  public boolean isNull() {
    return file.tree()
        .header(address)
        .find(DataspaceMessage.class)
        .filter(space -> space.kind() == DataspaceMessage.Kind.NULL)
        .isPresent();
  }

  /** The file that it is in: another one behind an external link. Local. */
  public H5File file() {
    return file;
  }

  /** Type of an element in the file. Local. */
  public Datatype datatype() {
    return datatype;
  }

  /** What its object header says. */
  ObjectHeader header() {
    return file.tree().header(address);
  }

  /** How the dataset is stored, filters included. Local. */
  public StorageInfo storage() {
    return StorageInfo.of(file.tree().header(address));
  }

  /**
   * What the dataset takes in the file, as of the last flush. Local; reads the whole chunk index.
   */
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

  /** Whether elements can be undefined. Local. */
  public boolean isSparse() {
    return storage instanceof Storage.Chunked(ChunkedDataset dataset)
        && dataset.format().definedness() == ChunkFormat.Definedness.WRITTEN;
  }

  @Override
  public List<Attribute> attributes() {
    return Attributes.of(file, address);
  }

  /** Sets or replaces an attribute. Collective. */
  public void setAttribute(Attribute attribute) {
    Attributes.set(file, path, address, attribute);
  }

  /**
   * Sets or replaces an attribute of any type, with content of variable length and references.
   * Collective; the same on all ranks.
   *
   * @param values one per element, row-major
   */
  public void setAttribute(String name, Datatype type, Shape shape, List<Value> values) {
    Attributes.set(file, path, address, name, type, shape, values);
  }

  /** Removes an attribute. Collective. */
  public void deleteAttribute(String name) {
    Attributes.delete(file, path, address, name);
  }

  /** Gives an attribute another name. Collective. */
  public void renameAttribute(String from, String to) {
    Attributes.rename(file, path, address, from, to);
  }

  /**
   * Writes values that are in the given memory type; the elements are defined from now on.
   * Collective.
   *
   * @param values one per selected element, in selection order
   */
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    Supplier<MemorySegment> packed = () -> Packed.toFile(memory, datatype, values);
    switch (kept()) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          change(Operation.WRITE, () -> WriteRequest.values(dataset, selection, packed.get()));
      case Storage.Contiguous(Optional<Long> block) ->
          file.collective()
              .write(
                  new ContiguousDataset(path, shape(), fillElement(), block),
                  () -> new ContiguousDataset.Part(selection, packed.get()),
                  taken ->
                      file.tree()
                          .replace(address, new ContiguousLayout(taken.address(), taken.length())));
      case Storage.Compact _ ->
          new CompactWriter(file, path, address, shape(), datatype.size()).write(selection, packed);
      case Storage.External _ ->
          throw new UnsupportedFeatureException("writing to external data files", path);
      case Storage.Virtual _ ->
          throw new UnsupportedFeatureException("writing to a virtual dataset", path);
    }
  }

  /**
   * Writes values of any type, with content of variable length and references. Collective.
   *
   * @param values one per selected element, in selection order
   */
  public void writeValues(Selection selection, List<Value> values) {
    MemorySegment packed = new ElementEncoder(file).own(path, datatype, values);
    write(selection, datatype, packed);
    if (!(storage instanceof Storage.Chunked)) {
      // Values in place change no metadata, but the file has grown by what the heap holds.
      file.tree().change(address, entries -> entries);
    }
  }

  /** Writes texts, fixed or variable-length. Collective. */
  public void write(Selection selection, String[] texts) {
    writeValues(selection, Stream.of(texts).<Value>map(Value.Text::new).toList());
  }

  private MemorySegment fillElement() {
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

  /** Writes bytes: u8 or i8 values, or elements as they are in the file. Collective. */
  public void write(Selection selection, byte[] values) {
    Datatype memory = isNumber() ? Packed.integers(1, datatype) : datatype;
    write(selection, memory, MemorySegment.ofArray(values));
  }

  /** Writes 16-bit integers; for a u16 dataset their bits. Collective. */
  public void write(Selection selection, short[] values) {
    write(selection, Packed.integers(2, datatype), MemorySegment.ofArray(values));
  }

  /** Writes 32-bit integers; for a u32 dataset their bits. Collective. */
  public void write(Selection selection, int[] values) {
    write(selection, Packed.integers(4, datatype), MemorySegment.ofArray(values));
  }

  /** Writes 64-bit integers; for a u64 dataset their bits. Collective. */
  public void write(Selection selection, long[] values) {
    write(selection, Packed.integers(8, datatype), MemorySegment.ofArray(values));
  }

  /** Writes 32-bit floating-point numbers. Collective. */
  public void write(Selection selection, float[] values) {
    write(selection, Packed.nativeOrder(Datatype.F32), MemorySegment.ofArray(values));
  }

  /** Writes 64-bit floating-point numbers. Collective. */
  public void write(Selection selection, double[] values) {
    write(selection, Packed.nativeOrder(Datatype.F64), MemorySegment.ofArray(values));
  }

  /**
   * Makes elements undefined. Collective.
   *
   * @throws io.skerry.collective.CollectiveException if the dataset is dense
   */
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

  private void change(Operation operation, Supplier<WriteRequest> request) {
    file.collective().write(operation, path, request);
  }

  /**
   * Reads values in the given memory type. Collective.
   *
   * @param values receives one per selected element, in selection order
   */
  public void read(Selection selection, Datatype memory, MemorySegment values) {
    readInto(selection, memory, _ -> values);
  }

  /** A buffer that cannot be made on one rank must fail the read on all, so it is made inside. */
  private void readInto(Selection selection, Datatype memory, ReadTarget.Maker maker) {
    List<ReadTarget> made = new ArrayList<>(1);
    Supplier<MemorySegment> packed =
        () -> {
          made.add(new ReadTarget(selection, shape(), datatype, memory, maker));
          return made.getFirst().packed();
        };
    switch (storage) {
      case Storage.Chunked(ChunkedDataset dataset) ->
          file.collective().read(dataset, selection, packed);
      case Storage.Contiguous _, Storage.External _, Storage.Compact _ ->
          file.collective()
              .together(
                  Operation.READ,
                  path,
                  "",
                  () -> {
                    selection.checkWithin(shapeAtOpening);
                    new FlatReader(file, shapeAtOpening, datatype.size(), fill, kept())
                        .read(selection, packed.get());
                    return true;
                  });
      case Storage.Virtual(VirtualParts parts) ->
          file.collective()
              .together(
                  Operation.READ,
                  path,
                  "",
                  () -> {
                    selection.checkWithin(shapeAtOpening);
                    MemorySegment values = packed.get();
                    FlatReader.fill(values, fill, datatype.size());
                    new VirtualReader(parts, file.sources(), shapeAtOpening, datatype, path)
                        .read(selection, values);
                    return true;
                  });
    }
    made.getFirst().finish();
  }

  private <A> A readArray(
      Selection selection,
      Datatype memory,
      int unit,
      IntFunction<A> array,
      Function<A, MemorySegment> segment) {
    List<A> made = new ArrayList<>(1);
    readInto(
        selection,
        memory,
        elements -> {
          made.add(array.apply(length(elements, unit)));
          return segment.apply(made.getFirst());
        });
    return made.getFirst();
  }

  /** Reads elements as they are in the file. Collective. */
  public byte[] readBytes(Selection selection) {
    return readArray(selection, datatype, datatype.size(), byte[]::new, MemorySegment::ofArray);
  }

  /** Reads 16-bit integers; of a u16 dataset their bits. Collective. */
  public short[] readShorts(Selection selection) {
    return readArray(
        selection, Packed.integers(2, datatype), 1, short[]::new, MemorySegment::ofArray);
  }

  /** Reads 32-bit integers; of a u32 dataset their bits. Collective. */
  public int[] readInts(Selection selection) {
    return readArray(
        selection, Packed.integers(4, datatype), 1, int[]::new, MemorySegment::ofArray);
  }

  /** Reads 64-bit integers; of a u64 dataset their bits. Collective. */
  public long[] readLongs(Selection selection) {
    return readArray(
        selection, Packed.integers(8, datatype), 1, long[]::new, MemorySegment::ofArray);
  }

  /** Reads 32-bit floating-point numbers. Collective. */
  public float[] readFloats(Selection selection) {
    return readArray(
        selection, Packed.nativeOrder(Datatype.F32), 1, float[]::new, MemorySegment::ofArray);
  }

  /** Reads 64-bit floating-point numbers. Collective. */
  public double[] readDoubles(Selection selection) {
    return readArray(
        selection, Packed.nativeOrder(Datatype.F64), 1, double[]::new, MemorySegment::ofArray);
  }

  /**
   * Reads elements of any type as values, variable-length content and references included.
   * Collective.
   */
  public List<Value> readValues(Selection selection) {
    byte[] packed = readBytes(selection);
    return file.collective()
        .together(
            Operation.READ,
            path,
            "",
            () ->
                new ValueReader(file.contents())
                    .readAll(
                        datatype, MemorySegment.ofArray(packed), packed.length / datatype.size()));
  }

  /**
   * Reads texts, fixed or variable-length, without their padding. Collective.
   *
   * @throws UnsupportedFeatureException if the elements are no text
   */
  public List<String> readStrings(Selection selection) {
    boolean text =
        datatype instanceof StringType
            || datatype instanceof VariableLength v && v.kind() == VariableLength.Kind.STRING;
    if (!text) {
      throw new UnsupportedFeatureException("text of type " + datatype, path);
    }
    return readValues(selection).stream().map(v -> ((Value.Text) v).value()).toList();
  }

  /**
   * Which of the selected elements are defined; of a dense dataset all. Collective.
   *
   * @return a selection in the coordinates of the dataset
   */
  public Selection defined(Selection selection) {
    if (storage instanceof Storage.Chunked(ChunkedDataset dataset)) {
      return file.collective().defined(dataset, selection);
    }
    return selection;
  }

  /**
   * Gives the first dimension a greater size; the other dimensions stay. Collective.
   *
   * @throws io.skerry.collective.CollectiveException if it exceeds the maximum or the ranks
   *     disagree
   */
  public void extend(long size) {
    long[] extent = shape().extent();
    if (extent.length > 0) {
      extent[0] = size;
    }
    extendTo(extent);
  }

  /**
   * Gives the dataset another extent. Where it shrinks, elements outside are lost: if it grows
   * again, they read as the fill value, and those of a sparse dataset are undefined. Collective.
   *
   * @throws io.skerry.collective.CollectiveException if it exceeds the maximum or the ranks
   *     disagree
   */
  public void extendTo(long... extent) {
    ChunkedDataset dataset = chunked();
    file.collective().extend(dataset, extent, () -> file.tree().resized(dataset));
  }

  private int length(long elements, int unit) {
    if (elements > (Integer.MAX_VALUE - 8) / unit) {
      throw new UnsupportedFeatureException(
          "more than 2^31 values in one array: elements=" + elements, path);
    }
    return (int) elements * unit;
  }

  private boolean isNumber() {
    return datatype instanceof FixedPoint || datatype instanceof FloatingPoint;
  }

  private ChunkedDataset chunked() {
    if (storage instanceof Storage.Chunked(ChunkedDataset dataset)) {
      return dataset;
    }
    throw new UnsupportedFeatureException("changing a dataset that is not chunked", path);
  }
}
