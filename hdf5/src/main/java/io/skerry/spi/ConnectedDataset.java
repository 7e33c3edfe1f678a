package io.skerry.spi;

import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.DatasetWrite;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.VirtualLayout;
import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.internal.value.PackedArrays;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/** Implements {@link Dataset} with a {@link StoredDataset} of a connector. */
final class ConnectedDataset extends ConnectedObject implements Dataset {
  /** The ranks on which an operation fails if this rank cannot prepare its arguments. */
  private enum Failing {
    ALL_RANKS,
    THIS_RANK
  }

  private final StoredDataset stored;
  private final Failing failing;
  private final Supplier<String> pathForMessages = this::shownPath;

  ConnectedDataset(ConnectedFile file, StoredDataset stored) {
    this(file, stored, Failing.ALL_RANKS);
  }

  private ConnectedDataset(ConnectedFile file, StoredDataset stored, Failing failing) {
    super(file, stored);
    this.stored = stored;
    this.failing = failing;
  }

  @Override
  public Shape shape() {
    return stored.shape();
  }

  @Override
  public boolean isNull() {
    return stored.isNull();
  }

  @Override
  public Datatype datatype() {
    return stored.datatype();
  }

  @Override
  public byte[] fillValue() {
    return stored.fillValue();
  }

  @Override
  public Dataset independent() {
    return new ConnectedDataset(connectedFile(), stored.independent(), Failing.THIS_RANK);
  }

  @Override
  public StorageInfo storage() {
    return stored.storage();
  }

  @Override
  public DatasetSpec specification() {
    return stored.specification();
  }

  @Override
  public StorageInfo.Usage usage() {
    return stored.usage();
  }

  @Override
  public Optional<VirtualLayout> virtualLayout() {
    return stored.virtualLayout();
  }

  @Override
  public List<String> refusedFiles() {
    return stored.refusedFiles();
  }

  @Override
  public Set<Path> elementFiles() {
    return stored.elementFiles();
  }

  @Override
  public boolean isSparse() {
    return stored.isSparse();
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    stored.write(selection, memory, values);
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    stored.writeValues(selection, values);
  }

  @Override
  public void write(Selection selection, String[] texts) {
    apply(() -> DatasetWrite.of(this, selection, texts));
  }

  @Override
  public void write(Selection selection, byte[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  @Override
  public void write(Selection selection, short[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  @Override
  public void write(Selection selection, int[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  @Override
  public void write(Selection selection, long[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  @Override
  public void write(Selection selection, float[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  @Override
  public void write(Selection selection, double[] values) {
    apply(() -> DatasetWrite.of(this, selection, values));
  }

  /** Prepares a write and performs it. */
  private void apply(Supplier<DatasetWrite> write) {
    prepared(Operation.WRITE, () -> stored(write.get())).apply();
  }

  /**
   * Prepares the arguments of an operation. If this fails on any rank, a collective operation fails
   * on all ranks; an independent operation fails on this rank only.
   */
  private <T> T prepared(Operation operation, Supplier<T> arguments) {
    return switch (failing) {
      case ALL_RANKS -> connectedFile().prepared(operation, this::shownPath, arguments);
      case THIS_RANK -> arguments.get();
    };
  }

  @Override
  public void erase(Selection selection) {
    stored.erase(selection);
  }

  @Override
  public void read(Selection selection, Datatype memory, MemorySegment values) {
    stored.read(selection, memory, _ -> values);
  }

  private <A> A readArray(Selection selection, Datatype memory, int unit, ArrayForm<A> form) {
    StoredDataset.ArrayTarget<A> target =
        new StoredDataset.ArrayTarget<>(pathForMessages, unit, memory.size(), form);
    stored.read(selection, memory, target);
    return target.made();
  }

  @Override
  public byte[] readBytes(Selection selection) {
    return readArray(selection, datatype(), datatype().size(), ArrayForm.BYTES);
  }

  @Override
  public short[] readShorts(Selection selection) {
    return readArray(selection, PackedArrays.integers(2, datatype()), 1, ArrayForm.SHORTS);
  }

  @Override
  public int[] readInts(Selection selection) {
    return readArray(selection, PackedArrays.integers(4, datatype()), 1, ArrayForm.INTS);
  }

  @Override
  public long[] readLongs(Selection selection) {
    return readArray(selection, PackedArrays.integers(8, datatype()), 1, ArrayForm.LONGS);
  }

  @Override
  public float[] readFloats(Selection selection) {
    return readArray(selection, PackedArrays.nativeOrder(Datatype.F32), 1, ArrayForm.FLOATS);
  }

  @Override
  public double[] readDoubles(Selection selection) {
    return readArray(selection, PackedArrays.nativeOrder(Datatype.F64), 1, ArrayForm.DOUBLES);
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return stored.readElements(selection);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return stored.readValues(selection);
  }

  @Override
  public List<String> readStrings(Selection selection) {
    boolean text =
        datatype() instanceof StringType
            || datatype() instanceof VariableLength v && v.kind() == VariableLength.Kind.STRING;
    if (!text) {
      throw new UnsupportedFeatureException("text of type " + datatype(), path());
    }
    return readValues(selection).stream().map(v -> ((Value.Text) v).value()).toList();
  }

  @Override
  public Selection defined(Selection selection) {
    return stored.defined(selection);
  }

  @Override
  public ChunkTable chunks() {
    return stored.chunks();
  }

  @Override
  public StorageStatistics statistics() {
    return stored.statistics();
  }

  @Override
  public void writeChunk(ChunkImage image, long... offset) {
    writeChunks(
        prepared(Operation.WRITE, () -> Map.of(LongStream.of(offset).boxed().toList(), image)));
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    stored.writeChunks(images);
  }

  @Override
  public void extend(long size) {
    long[] extent = shape().extent();
    if (extent.length > 0) {
      extent[0] = size;
    }
    extendTo(extent);
  }

  @Override
  public void extendTo(long... extent) {
    stored.extendTo(
        prepared(Operation.EXTEND, () -> Objects.requireNonNull(extent, "the extent is null")));
  }

  /** Converts a write that names this dataset into one that names the {@link StoredDataset}. */
  StoredFile.Write stored(DatasetWrite write) {
    return new StoredFile.Write(stored, write.selection(), write.content());
  }
}
