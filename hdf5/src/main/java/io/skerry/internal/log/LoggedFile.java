package io.skerry.internal.log;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.Transactions;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.spi.StoredDataset;
import io.skerry.spi.StoredDatatype;
import io.skerry.spi.StoredFile;
import io.skerry.spi.StoredGroup;
import io.skerry.spi.StoredObject;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A file that forwards its calls and logs them, except for cheap local calls.
 *
 * @param below the file to which calls are forwarded
 */
record LoggedFile(StoredFile below, CallLog calls) implements StoredFile {
  @Override
  public Path path() {
    return below.path();
  }

  @Override
  public long size() {
    return below.size();
  }

  @Override
  public StoredGroup root() {
    return new LoggedGroup(below.root(), this);
  }

  @Override
  public StoredObject object(String path) {
    return calls.call("object " + path, () -> wrap(below.object(path)));
  }

  /** Wraps an object, which belongs to another file if an external link led to it. */
  StoredObject wrap(StoredObject found) {
    LoggedFile owner =
        found.file().equals(below)
            ? this
            : new LoggedFile(
                found.file(), new CallLog(calls.log(), calls.rank(), found.file().path()));
    return switch (found) {
      case StoredGroup group -> new LoggedGroup(group, owner);
      case StoredDataset dataset -> new LoggedDataset(dataset, owner);
      case StoredDatatype datatype -> new LoggedDatatype(datatype, owner);
      case StoredObject.StoredMap map -> new LoggedMap(map, owner);
    };
  }

  @Override
  public StoredGroup createGroup(String path) {
    return calls.call("create group " + path, () -> new LoggedGroup(below.createGroup(path), this));
  }

  @Override
  public StoredGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return calls.call(
        "create group " + path + " order=" + order + " attributes=" + attributes,
        () -> new LoggedGroup(below.createGroup(path, order, attributes), this));
  }

  @Override
  public StoredDatatype createDatatype(String path, Datatype type) {
    return calls.call(
        "create datatype " + path + " type=" + type,
        () -> new LoggedDatatype(below.createDatatype(path, type), this));
  }

  @Override
  public StoredDataset createDataset(String path, DatasetSpec spec) {
    return calls.call(
        "create dataset " + path + " spec=" + spec,
        () -> new LoggedDataset(below.createDataset(path, spec), this));
  }

  @Override
  public StoredObject.StoredMap createMap(String path, Datatype key, Datatype value) {
    return calls.call(
        "create map " + path + " key=" + key + " value=" + value,
        () -> new LoggedMap(below.createMap(path, key, value), this));
  }

  @Override
  public void createHardLink(String path, String targetPath) {
    calls.run(
        "hard link " + path + " target=" + targetPath,
        () -> below.createHardLink(path, targetPath));
  }

  @Override
  public void createSoftLink(String path, String targetPath) {
    calls.run(
        "soft link " + path + " target=" + targetPath,
        () -> below.createSoftLink(path, targetPath));
  }

  @Override
  public void createExternalLink(String path, String targetFile, String targetPath) {
    calls.run(
        "external link " + path + " target=" + targetFile + ":" + targetPath,
        () -> below.createExternalLink(path, targetFile, targetPath));
  }

  @Override
  public void unlink(String path) {
    calls.run("unlink " + path, () -> below.unlink(path));
  }

  @Override
  public void move(String from, String to) {
    calls.run("move " + from + " to=" + to, () -> below.move(from, to));
  }

  @Override
  public Value.ObjectReference reference(String path) {
    return below.reference(path);
  }

  @Override
  public Value.RegionReference reference(String path, Selection region) {
    return below.reference(path, region);
  }

  @Override
  public Contents contents() {
    return below.contents();
  }

  @Override
  public CacheOptions cacheOptions() {
    return below.cacheOptions();
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return below.cacheStatistics();
  }

  @Override
  public void resizeCache(CacheOptions options) {
    calls.run("resize cache " + options, () -> below.resizeCache(options));
  }

  @Override
  public void writeAll(List<StoredFile.Write> writes) {
    String paths =
        writes.stream().map(write -> write.dataset().path()).collect(Collectors.joining(" "));
    calls.run(
        "write datasets=" + writes.size() + " " + paths,
        () -> below.writeAll(writes.stream().map(LoggedFile::forwarded).toList()));
  }

  @Override
  public RuntimeException refused(Operation operation, String object, RuntimeException failure) {
    return calls.call(
        "refuse " + operation + " " + object, () -> below.refused(operation, object, failure));
  }

  @Override
  public long largest(long number) {
    return calls.call("largest number=" + number, () -> below.largest(number));
  }

  /**
   * Returns the write with its logged dataset replaced by the dataset below, since the file below
   * combines only writes to its own datasets.
   */
  private static StoredFile.Write forwarded(StoredFile.Write write) {
    return write.dataset() instanceof LoggedDataset logged
        ? new StoredFile.Write(logged.below(), write.selection(), write.content())
        : write;
  }

  @Override
  public Optional<TransferReport> lastTransfer() {
    return below.lastTransfer();
  }

  @Override
  public Transactions transactions() {
    return calls.call("transactions", below::transactions);
  }

  @Override
  public StoredFile openVersion(Transactions.Version version) {
    return calls.call(
        "version " + version,
        () -> {
          StoredFile opened = below.openVersion(version);
          return new LoggedFile(opened, new CallLog(calls.log(), calls.rank(), opened.path()));
        });
  }

  @Override
  public void flush() {
    calls.run("flush", below::flush);
  }

  @Override
  public void close() {
    calls.run("close", below::close);
  }

  @Override
  public void discard() {
    calls.run("discard", below::discard);
  }
}
