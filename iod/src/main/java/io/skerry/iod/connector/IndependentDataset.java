package io.skerry.iod.connector;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
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
import java.util.List;
import java.util.Map;

/**
 * The view of a dataset for independent reads, if several ranks have the file open. A read is for
 * the thread that opened the file, and sees the writes that all ranks have completed. All changes
 * are refused: ranks that write to one tile have to merge their elements.
 *
 * @param dataset the dataset
 */
record IndependentDataset(IodDataset dataset) implements StoredDataset {
  private ElementReads reads() {
    return dataset.reads(ElementReads.Scope.THIS_RANK);
  }

  private IllegalStateException refused(String operation) {
    return new IllegalStateException(
        "all ranks do this together: operation="
            + operation
            + " file="
            + dataset.owner().name()
            + " object="
            + dataset.location().shown());
  }

  @Override
  public StoredFile file() {
    return dataset.file();
  }

  @Override
  public String path() {
    return dataset.path();
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
  public boolean isSparse() {
    return dataset.isSparse();
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    throw refused("write");
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    throw refused("write");
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget target) {
    reads().read(selection, memory, target);
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return reads().elements(selection);
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return reads().values(selection);
  }

  @Override
  public Selection defined(Selection selection) {
    return reads().defined(selection);
  }

  @Override
  public void erase(Selection selection) {
    throw refused("erase");
  }

  @Override
  public ChunkTable chunks() {
    throw refused("chunks");
  }

  @Override
  public StorageStatistics statistics() {
    throw refused("statistics");
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    throw refused("write of chunks");
  }

  @Override
  public void extendTo(long... extent) {
    throw refused("change of the extent");
  }

  @Override
  public StoredDataset independent() {
    return this;
  }
}
