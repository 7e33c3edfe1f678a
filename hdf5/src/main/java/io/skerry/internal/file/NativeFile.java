package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.step.FileGate;
import io.skerry.datatype.Datatype;
import io.skerry.internal.dataset.FlatLocks;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.SourceDatasets;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.StoredContents;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredFile;
import io.skerry.spi.StoredObject;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An HDF5 file that is open on all ranks of a communicator. */
public final class NativeFile implements HdfFile {
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final ObjectSteps objects;
  private final LinkedFiles linked;
  private final FileContents contents;
  private final SourceDatasets sources;
  private final FlatLocks flatLocks = new FlatLocks();

  /**
   * Creates access to an open file.
   *
   * @param sources the sources of the virtual datasets in the file
   * @param opener a function that opens the target files of its external links
   */
  NativeFile(
      CollectiveFile file, ObjectTree tree, SourceDatasets sources, LinkedFiles.Opener opener) {
    this.file = file;
    this.tree = tree;
    this.contents = new FileContents(this);
    this.sources = sources;
    this.linked = new LinkedFiles(this, opener);
    this.objects = new ObjectSteps(this);
  }

  @Override
  public Path path() {
    return file.path();
  }

  @Override
  public long size() {
    return file.size();
  }

  @Override
  public NativeGroup root() {
    return new NativeGroup(this, "/", tree.rootAddress());
  }

  @Override
  public StoredObject object(String path) {
    return objects.open(path);
  }

  @Override
  public NativeDataset dataset(String path) {
    return objects.openDataset(path);
  }

  @Override
  public NativeDataset datasetHere(String path) {
    return objects.openHere(path);
  }

  @Override
  public NativeGroup createGroup(String path) {
    return objects.createGroup(path);
  }

  @Override
  public NativeGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return objects.createGroup(path, order, attributes);
  }

  @Override
  public NativeDatatype createDatatype(String path, Datatype type) {
    return objects.createDatatype(path, type);
  }

  @Override
  public NativeDataset createDataset(String path, DatasetSpec spec) {
    return objects.createDataset(path, spec);
  }

  /**
   * Refuses a map, which an HDF5 file cannot store.
   *
   * @throws io.skerry.parallel.CollectiveException always, with an {@link
   *     io.skerry.exception.UnsupportedFeatureException} as its cause
   */
  @Override
  public StoredObject.StoredMap createMap(String path, Datatype key, Datatype value) {
    return objects.refuseMap(path, key, value);
  }

  @Override
  public void createHardLink(String path, String targetPath) {
    objects.createHardLink(path, targetPath);
  }

  @Override
  public void createSoftLink(String path, String targetPath) {
    objects.createSoftLink(path, targetPath);
  }

  @Override
  public void createExternalLink(String path, String targetFile, String targetPath) {
    objects.createExternalLink(path, targetFile, targetPath);
  }

  @Override
  public void move(String from, String to) {
    objects.move(from, to);
  }

  @Override
  public void unlink(String path) {
    objects.unlink(path);
  }

  @Override
  public Optional<TransferReport> lastTransfer() {
    return Optional.of(file.lastTransfer());
  }

  @Override
  public void writeAll(List<StoredFile.Write> writes) {
    new JointWrite(this, writes).write();
  }

  @Override
  public Value.ObjectReference reference(String path) {
    return new Value.ObjectReference(target(path));
  }

  @Override
  public Value.RegionReference reference(String path, Selection region) {
    return new Value.RegionReference(target(path), region);
  }

  private Value.Target target(String path) {
    long address = gate().exclusively(() -> Resolver.hardAddressOnThisRank(this, path));
    return new Value.Target(Optional.empty(), Optional.of(path), address);
  }

  @Override
  public CacheOptions cacheOptions() {
    return file.cacheOptions();
  }

  @Override
  public CacheStatistics cacheStatistics() {
    return file.cacheStatistics();
  }

  @Override
  public void resizeCache(CacheOptions cache) {
    file.resizeCache(cache);
  }

  @Override
  public void flush() {
    file.flush();
  }

  @Override
  public void close() {
    close(NativeFile::close, file::close);
  }

  @Override
  public void discard() {
    close(NativeFile::discard, file::discard);
  }

  /** Closes the files that this file has opened, then this file. */
  private void close(Consumer<NativeFile> closeLinked, Consumer<Runnable> closeThis) {
    Runnable closeOthers = () -> linked.close(sources::close, closeLinked);
    if (file.isClosed()) {
      // The file may have been abandoned without closing the files that it had opened.
      closeOthers.run();
    } else {
      closeThis.accept(closeOthers);
    }
  }

  @Override
  public StoredContents contents() {
    return contents;
  }

  @Override
  public SourceDatasets sources() {
    return sources;
  }

  @Override
  public CollectiveFile collective() {
    return file;
  }

  @Override
  public ObjectTree tree() {
    return tree;
  }

  @Override
  public FlatLocks flatLocks() {
    return flatLocks;
  }

  @Override
  public FileGate gate() {
    return file.gate();
  }

  @Override
  public StoredAttributes attributes(ObjectPath path, long address) {
    return new Attributes(this, path, address);
  }

  /** Returns the target files of the external links of this file. */
  LinkedFiles linked() {
    return linked;
  }
}
