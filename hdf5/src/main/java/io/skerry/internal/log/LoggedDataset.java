package io.skerry.internal.log;

import io.skerry.ChunkTable;
import io.skerry.DatasetSpec;
import io.skerry.StorageInfo;
import io.skerry.StorageStatistics;
import io.skerry.VirtualLayout;
import io.skerry.chunk.ChunkImage;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredDataset;
import io.skerry.value.StoredElements;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A dataset that forwards its calls and logs them, except for cheap local calls.
 *
 * @param below the dataset to which calls are forwarded
 * @param file the file that contains the dataset
 */
record LoggedDataset(StoredDataset below, LoggedFile file) implements StoredDataset {
  @Override
  public String path() {
    return below.path();
  }

  @Override
  public ObjectPath location() {
    return below.location();
  }

  @Override
  public LoggedFile file() {
    return file;
  }

  @Override
  public Shape shape() {
    return below.shape();
  }

  @Override
  public boolean isNull() {
    return below.isNull();
  }

  @Override
  public Datatype datatype() {
    return below.datatype();
  }

  @Override
  public byte[] fillValue() {
    return below.fillValue();
  }

  @Override
  public StorageInfo storage() {
    return below.storage();
  }

  @Override
  public DatasetSpec specification() {
    return below.specification();
  }

  @Override
  public StorageInfo.Usage usage() {
    return file.calls().call("usage of " + path(), below::usage);
  }

  @Override
  public Optional<VirtualLayout> virtualLayout() {
    return below.virtualLayout();
  }

  @Override
  public List<String> refusedFiles() {
    return below.refusedFiles();
  }

  @Override
  public Set<Path> elementFiles() {
    return file.calls().call("files of " + path(), below::elementFiles);
  }

  @Override
  public boolean isSparse() {
    return below.isSparse();
  }

  @Override
  public void write(Selection selection, Datatype memory, MemorySegment values) {
    file.calls()
        .run(
            "write " + path() + " bytes=" + values.byteSize() + " memory=" + memory,
            () -> below.write(selection, memory, values));
  }

  @Override
  public void writeValues(Selection selection, List<Value> values) {
    file.calls()
        .run(
            "write " + path() + " values=" + values.size(),
            () -> below.writeValues(selection, values));
  }

  @Override
  public void read(Selection selection, Datatype memory, ReadTarget target) {
    file.calls()
        .run("read " + path() + " memory=" + memory, () -> below.read(selection, memory, target));
  }

  @Override
  public StoredElements readElements(Selection selection) {
    return file.calls().call("read elements of " + path(), () -> below.readElements(selection));
  }

  @Override
  public List<Value> readValues(Selection selection) {
    return file.calls().call("read values of " + path(), () -> below.readValues(selection));
  }

  @Override
  public Selection defined(Selection selection) {
    return file.calls().call("defined of " + path(), () -> below.defined(selection));
  }

  @Override
  public void erase(Selection selection) {
    file.calls().run("erase " + path(), () -> below.erase(selection));
  }

  @Override
  public ChunkTable chunks() {
    return file.calls().call("chunks of " + path(), below::chunks);
  }

  @Override
  public StorageStatistics statistics() {
    return file.calls().call("statistics of " + path(), below::statistics);
  }

  @Override
  public void writeChunks(Map<List<Long>, ChunkImage> images) {
    file.calls()
        .run(
            "write chunks of " + path() + " chunks=" + images.size(),
            () -> below.writeChunks(images));
  }

  @Override
  public void extendTo(long... extent) {
    file.calls()
        .run("extend " + path() + " to=" + Arrays.toString(extent), () -> below.extendTo(extent));
  }

  @Override
  public LoggedAttributes attributes() {
    return new LoggedAttributes(below.attributes(), path(), file);
  }

  @Override
  public StoredDataset independent() {
    return new LoggedDataset(below.independent(), file);
  }
}
