package io.skerry.internal.file;

import io.skerry.AttributeOrder;
import io.skerry.DatasetSpec;
import io.skerry.LinkOrder;
import io.skerry.NoSuchObjectException;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.step.FileGate;
import io.skerry.datatype.Datatype;
import io.skerry.internal.dataset.FlatLocks;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.VirtualSources;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.StoredContents;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.selection.Selection;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredObject;
import io.skerry.spi.StoredWrite;
import io.skerry.value.Value;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** An HDF5 file that is open on all ranks of a communicator. */
public final class NativeFile implements HdfFile {
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final LinkedFiles linked;
  private final FileContents contents;
  private final VirtualSources sources;
  private final FlatLocks flatLocks = new FlatLocks();

  NativeFile(CollectiveFile file, ObjectTree tree, FileOptions options, VirtualSources sources) {
    this.file = file;
    this.tree = tree;
    this.contents = new FileContents(this);
    this.sources = sources;
    this.linked = new LinkedFiles(this, found -> NativeFileOpener.openLinked(file, found, options));
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
    try {
      return file.steps()
          .together(Operation.OPEN_OBJECT, path, path, () -> new Resolver(this).resolve(path));
    } catch (CollectiveException e) {
      boolean everywhere = e.failingRanks().size() == file.ranks().size();
      if (everywhere && e.getCause() instanceof NoSuchObjectException missing) {
        throw missing;
      }
      throw e;
    }
  }

  @Override
  public NativeDataset dataset(String path) {
    if (object(path) instanceof NativeDataset dataset) {
      return dataset;
    }
    throw new NoSuchObjectException("not a dataset", path, path().toString());
  }

  @Override
  public NativeGroup createGroup(String path) {
    return file.steps()
        .together(Operation.CREATE_OBJECT, path, "group", () -> new Builder(this).group(path));
  }

  @Override
  public NativeGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return file.steps()
        .together(
            Operation.CREATE_OBJECT,
            path,
            "group " + order + " " + attributes,
            () -> new Builder(this).group(path, order, attributes));
  }

  @Override
  public NativeDatatype createDatatype(String path, Datatype type) {
    return file.steps()
        .together(
            Operation.CREATE_OBJECT,
            path,
            type.toString(),
            () -> new Builder(this).datatype(path, type));
  }

  @Override
  public void createHardLink(String path, String targetPath) {
    change(Operation.LINK, path, targetPath, () -> new Builder(this).hardLink(path, targetPath));
  }

  @Override
  public void unlink(String path) {
    change(Operation.UNLINK, path, "", () -> new ObjectRemoval(this).unlink(path));
  }

  @Override
  public void move(String from, String to) {
    change(Operation.MOVE, from, to, () -> new Builder(this).move(from, to));
  }

  @Override
  public Optional<TransferReport> lastTransfer() {
    return Optional.of(file.lastTransfer());
  }

  @Override
  public void writeAll(List<StoredWrite> writes) {
    new JointWrite(this, writes).write();
  }

  private void change(Operation operation, String path, String arguments, Runnable step) {
    boolean unused =
        file.steps()
            .together(
                operation,
                path,
                arguments,
                () -> {
                  step.run();
                  return true;
                });
  }

  @Override
  public NativeDataset createDataset(String path, DatasetSpec spec) {
    return gate().collectively(Operation.CREATE_OBJECT, path, () -> createWithSpace(path, spec));
  }

  /**
   * Creates a dataset and allocates its space in one collective operation, so that no thread writes
   * to it in between.
   */
  private NativeDataset createWithSpace(String path, DatasetSpec spec) {
    NativeDataset dataset =
        file.steps()
            .together(
                Operation.CREATE_OBJECT,
                path,
                spec.describe(),
                () -> new Builder(this).dataset(path, spec));
    if (spec.allocation() == DatasetSpec.Allocation.EARLY) {
      takeSpace(dataset);
    }
    return dataset;
  }

  /**
   * Allocates the space of a new dataset. The dataset already exists, so an interrupt is deferred
   * until its space is allocated.
   */
  private static void takeSpace(NativeDataset dataset) {
    boolean interrupted = Thread.interrupted();
    boolean taken = false;
    while (!taken) {
      try {
        dataset.takeSpace();
        taken = true;
      } catch (RequestInterruptedException e) {
        interrupted |= Thread.interrupted();
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void createExternalLink(String path, String targetFile, String targetPath) {
    file.steps()
        .together(
            Operation.CREATE_OBJECT,
            path,
            targetFile + ":" + targetPath,
            () -> {
              new Builder(this).externalLink(path, targetFile, targetPath);
              return true;
            });
  }

  @Override
  public void createSoftLink(String path, String targetPath) {
    file.steps()
        .together(
            Operation.CREATE_OBJECT,
            path,
            targetPath,
            () -> {
              new Builder(this).softLink(path, targetPath);
              return true;
            });
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
    long address = gate().exclusively(() -> Resolver.hardAddress(this, path));
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
    Runnable closeOthers =
        () -> {
          sources.close();
          linked.forEach(closeLinked);
        };
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
  public VirtualSources sources() {
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
