package io.skerry.internal.dataset;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.VirtualLayout;
import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredDataset;
import io.skerry.spi.StoredFile;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A dataset of an HDF5 file for independent access by one rank. Supports reads, and writes of
 * elements at fixed addresses; refuses other changes, and operations that flush the file.
 */
final class IndependentDataset implements StoredDataset {
  private final NativeDataset dataset;
  private final Supplier<DatasetReader> readers;

  /**
   * Creates independent access to a dataset.
   *
   * @param readers a supplier of a new reader for each read
   */
  IndependentDataset(NativeDataset dataset, Supplier<DatasetReader> readers) {
    this.dataset = dataset;
    this.readers = readers;
  }

  @Override
  public String path() {
    return dataset.path();
  }

  @Override
  public StoredFile file() {
    return dataset.file();
  }

  @Override
  public StoredAttributes attributes() {
    return dataset.attributes();
  }

  @Override
  public Shape shape() {
    return dataset.shape();
  }

  @Override
  public boolean isNull() {
    return dataset.isNull();
  }

  @Override
  public Datatype datatype() {
    return dataset.datatype();
  }

  @Override
  public byte[] fillValue() {
    return dataset.fillValue();
  }

  @Override
  public StorageInfo storage() {
    return dataset.storage();
  }

  @Override
  public DatasetSpec specification() {
    return dataset.specification();
  }

  @Override
  public StorageInfo.Usage usage() {
    return dataset.usage();
  }

  @Override
  public Optional<VirtualLayout> virtualLayout() {
    return dataset.virtualLayout();
  }

  @Override
  public List<String> refusedFiles() {
    return dataset.refusedFiles();
  }

  @Override
  public Set<Path> elementFiles() {
    return dataset.elementFiles();
  }

  @Override
  public boolean isSparse() {
    return dataset.isSparse();
  }

  @Override
  public StoredDataset independent() {
    return this;
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget target) {
    readers.get().read(selection, memory, target);
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return readers.get().readElements(selection);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return readers.get().readValues(selection);
  }

  @Override
  public Selection defined(Selection selection) {
    return readers.get().defined(selection);
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    dataset.writeIndependently(selection, memory, values);
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    throw refused("a write of values that may have content elsewhere");
  }

  @Override
  public void erase(Selection selection) {
    throw refused("an erasure");
  }

  @Override
  public ChunkTable chunks() {
    throw refused("a list of the chunks, which flushes,");
  }

  @Override
  public StorageStatistics statistics() {
    throw refused("the statistics, which flush,");
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    throw refused("a write");
  }

  @Override
  public void extendTo(long... extent) {
    throw refused("a change of extent");
  }

  private IllegalStateException refused(String what) {
    return new IllegalStateException(
        what + " is collective; call it on the dataset itself: dataset=" + path());
  }
}
