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
import io.skerry.collective.trust.ReferencedFiles;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.ByteSource;
import io.skerry.format.file.FormatFile;
import io.skerry.format.superblock.Superblock;
import io.skerry.internal.dataset.FlatLocks;
import io.skerry.internal.dataset.HdfFile;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.VirtualSources;
import io.skerry.internal.tree.NewFile;
import io.skerry.internal.tree.ObjectTree;
import io.skerry.internal.value.StoredContents;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.parallel.Trust;
import io.skerry.selection.Selection;
import io.skerry.spi.ObjectPath;
import io.skerry.spi.StoredAttributes;
import io.skerry.spi.StoredObject;
import io.skerry.spi.StoredWrite;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.function.Consumer;

/** An HDF5 file, open on all ranks of a communicator. */
public final class NativeFile implements HdfFile {
  private final CollectiveFile file;
  private final ObjectTree tree;
  private final FileOptions options;
  private final LinkedFiles linked;
  private final FileContents contents;
  private final VirtualSources sources;
  private final FlatLocks flatLocks = new FlatLocks();

  private NativeFile(
      CollectiveFile file, ObjectTree tree, FileOptions options, VirtualSources sources) {
    this.file = file;
    this.tree = tree;
    this.options = options;
    this.contents = new FileContents(this);
    this.sources = sources;
    this.linked = new LinkedFiles(this, this::openLinked);
  }

  /** Opens or creates a file. Collective. */
  public static NativeFile open(
      Path path, FileAccess access, Communicator ranks, FileOptions options) {
    CollectiveFile file = CollectiveFile.open(path, access, ranks, options);
    return access.isCreating()
        ? attached(file, options, () -> begin(file, options))
        : loaded(
            file,
            options,
            VirtualSources.of(file.others(), options, NativeFile::openSource),
            () -> {});
  }

  /** The metadata of a file that has only a root group. */
  private static NativeFile begin(CollectiveFile file, FileOptions options) throws IOException {
    NewFile begun =
        NewFile.begin(file.source(), options.bounds().orElse(FormatBounds.V110), file.log());
    file.attach(begun.tree(), begun.tree().source(), begun.space(), 0, 0);
    return new NativeFile(
        file,
        begun.tree(),
        options,
        VirtualSources.of(file.others(), options, NativeFile::openSource));
  }

  /**
   * Opens the source of a virtual dataset in this process.
   *
   * @param others what the source names in its turn
   * @param check of the open file, whose failure closes it
   */
  static NativeFile openSource(
      ReferencedFiles others, FileOptions options, VirtualSources sources, Runnable check) {
    FileAccess access = FileAccess.READ;
    return loaded(
        CollectiveFile.open(others, access, Communicator.self(), options), options, sources, check);
  }

  /** A file that an external link of this one leads to. Collective. */
  private NativeFile openLinked(ReferencedFiles.Found found) {
    CollectiveFile opened = file.openLinked(found);
    return loaded(
        opened,
        options,
        VirtualSources.of(opened.others(), options, NativeFile::openSource),
        () -> file.others().confirm(found, "/"));
  }

  private static NativeFile loaded(
      CollectiveFile file, FileOptions options, VirtualSources sources, Runnable check) {
    return attached(
        file,
        options,
        () -> {
          check.run();
          return load(file, options, sources);
        });
  }

  /** The metadata of an existing file, as far as its root group. */
  private static NativeFile load(CollectiveFile file, FileOptions options, VirtualSources sources)
      throws IOException {
    ByteSource source = file.source();
    FormatFile format = FormatFile.open(source);
    Superblock superblock = format.superblock();
    ObjectTree tree =
        new ObjectTree(
            format, options.bounds().orElseGet(() -> ObjectTree.boundsOf(format)), file.log());
    if (file.access() == FileAccess.WRITE) {
      tree.checkWritable();
    }
    tree.header(tree.rootAddress());
    // A writer that did not end may have left an end that is too low: what is behind it may be in
    // use, so nothing is written there.
    long end = Math.max(superblock.endOfFile(), source.size() - superblock.baseAddress());
    file.attach(tree, tree.source(), SpaceAllocator.startingAt(end), superblock.baseAddress(), end);
    return new NativeFile(file, tree, options, sources);
  }

  /** Agrees that all ranks have the metadata; otherwise nobody has the file. */
  private static NativeFile attached(
      CollectiveFile file, FileOptions options, Callable<NativeFile> metadata) {
    boolean ready = false;
    String form =
        options.bounds().map(FormatBounds::name).orElse("")
            + " "
            + options.mode()
            + (options.trust() == Trust.ALL ? "" : " " + options.trust())
            + (options.hints().isEmpty() ? "" : " " + new TreeMap<>(options.hints()));
    try {
      NativeFile opened = file.together(Operation.OPEN_FILE, "", form, metadata);
      ready = true;
      return opened;
    } finally {
      if (!ready) {
        file.discard();
      }
    }
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
      return file.together(
          Operation.OPEN_OBJECT, path, path, () -> new Resolver(this).resolve(path));
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
    return file.together(
        Operation.CREATE_OBJECT, path, "group", () -> new Builder(this).group(path));
  }

  @Override
  public NativeGroup createGroup(String path, LinkOrder order, AttributeOrder attributes) {
    return file.together(
        Operation.CREATE_OBJECT,
        path,
        "group " + order + " " + attributes,
        () -> new Builder(this).group(path, order, attributes));
  }

  @Override
  public NativeDatatype createDatatype(String path, Datatype type) {
    return file.together(
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
        file.together(
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

  /** Nobody may write to the dataset before it has its space. */
  private NativeDataset createWithSpace(String path, DatasetSpec spec) {
    NativeDataset dataset =
        file.together(
            Operation.CREATE_OBJECT,
            path,
            spec.describe(),
            () -> new Builder(this).dataset(path, spec));
    if (spec.allocation() == DatasetSpec.Allocation.EARLY) {
      takeSpace(dataset);
    }
    return dataset;
  }

  /** The dataset is there, so an interrupt has to wait until it has its space. */
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
    file.together(
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
    file.together(
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

  /** Closes this file, and before it those that it led to. */
  private void close(Consumer<NativeFile> closeLinked, Consumer<Runnable> closeThis) {
    Runnable closeOthers =
        () -> {
          sources.close();
          linked.forEach(closeLinked);
        };
    if (file.isClosed()) {
      // It may have been abandoned, without them.
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

  /** The files that external links of this one lead to. */
  LinkedFiles linked() {
    return linked;
  }
}
