package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.type.Datatype;
import io.skerry.collective.CollectiveException;
import io.skerry.collective.CollectiveFile;
import io.skerry.collective.FileOptions;
import io.skerry.collective.Operation;
import io.skerry.format.Superblock;
import io.skerry.format.Widths;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.file.FormatFile;
import io.skerry.format.object.GroupInfoMessage;
import io.skerry.format.object.LinkInfoMessage;
import io.skerry.format.object.ObjectHeader;
import io.skerry.mpi.Communicator;
import io.skerry.value.Contents;
import io.skerry.value.Value;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;

/**
 * An HDF5 file, open on all ranks of a communicator. Leave the communicator out and it is a
 * one-process program.
 *
 * <p>Unless a method says that it is local, it is collective: all ranks call it, in the same order,
 * from the thread that opened the file. A failure on one rank is a {@link
 * io.skerry.collective.CollectiveException} on all.
 */
public final class H5File implements AutoCloseable {
  /** Room left in a group's header for links and attributes to come. */
  static final int GROUP_SLACK = 512;

  /** Room left in a dataset's header for attributes to come. */
  static final int DATASET_SLACK = 256;

  private final CollectiveFile file;
  private final ObjectTree tree;
  private final FileOptions options;
  private final Map<Path, H5File> external = new HashMap<>();
  private final FileContents contents;
  private final VirtualSources sources;

  private H5File(
      CollectiveFile file, ObjectTree tree, FileOptions options, VirtualSources sources) {
    this.file = file;
    this.tree = tree;
    this.options = options;
    this.contents = new FileContents(this);
    this.sources = sources;
  }

  /** A new file for this process; one of that name is replaced. */
  public static H5File create(Path path) {
    return create(path, Communicator.self());
  }

  /** A new file; one of that name is replaced. */
  public static H5File create(Path path, Communicator ranks) {
    return create(path, ranks, FileOptions.standard());
  }

  /** A new file with limits of memory and threads. */
  public static H5File create(Path path, Communicator ranks, FileOptions options) {
    CollectiveFile file = CollectiveFile.open(path, CollectiveFile.Access.CREATE, ranks, options);
    return attached(file, () -> begin(file, options));
  }

  /** The metadata of a file that has only a root group. */
  private static H5File begin(CollectiveFile file, FileOptions options) throws IOException {
    SpaceAllocator space = SpaceAllocator.startingAt(Superblock.of(0, 0).size());
    ObjectHeader root =
        ObjectTree.create(
            List.of(LinkInfoMessage.compact(), GroupInfoMessage.defaults()),
            GROUP_SLACK,
            Widths.EIGHT,
            space);
    ObjectTree tree =
        new ObjectTree(FormatFile.beginning(file.source(0), Superblock.of(0, root.address())));
    tree.add(root);
    file.attach(tree, space, 0, 0);
    return new H5File(file, tree, options, VirtualSources.of(file.path(), options));
  }

  /** Opens a file for reading in this process. */
  public static H5File open(Path path) {
    return open(path, Communicator.self());
  }

  /** Opens a file for reading. */
  public static H5File open(Path path, Communicator ranks) {
    return open(path, CollectiveFile.Access.READ, ranks, FileOptions.standard());
  }

  /** Opens a file for reading and changing. */
  public static H5File openForWriting(Path path, Communicator ranks) {
    return open(path, CollectiveFile.Access.WRITE, ranks, FileOptions.standard());
  }

  /** Opens a file for reading and changing, with limits of memory and threads. */
  public static H5File openForWriting(Path path, Communicator ranks, FileOptions options) {
    return open(path, CollectiveFile.Access.WRITE, ranks, options);
  }

  /** Opens a file for reading, with limits of memory and threads. */
  public static H5File open(Path path, Communicator ranks, FileOptions options) {
    return open(path, CollectiveFile.Access.READ, ranks, options);
  }

  private static H5File open(
      Path path, CollectiveFile.Access access, Communicator ranks, FileOptions options) {
    CollectiveFile file = CollectiveFile.open(path, access, ranks, options);
    VirtualSources sources = VirtualSources.of(path, options);
    return attached(file, () -> load(file, access, options, sources));
  }

  /** Opens the source of a virtual dataset in this process. */
  static H5File openSource(Path path, FileOptions options, VirtualSources sources) {
    CollectiveFile.Access access = CollectiveFile.Access.READ;
    CollectiveFile file = CollectiveFile.open(path, access, Communicator.self(), options);
    return attached(file, () -> load(file, access, options, sources));
  }

  /** The metadata of an existing file, as far as its root group. */
  private static H5File load(
      CollectiveFile file,
      CollectiveFile.Access access,
      FileOptions options,
      VirtualSources sources)
      throws IOException {
    FormatFile format = FormatFile.open(file.source(0));
    Superblock superblock = format.superblock();
    ObjectTree tree = new ObjectTree(format);
    if (access == CollectiveFile.Access.WRITE) {
      tree.checkWritable();
    }
    tree.header(tree.rootAddress());
    long end = superblock.endOfFile();
    file.attach(tree, SpaceAllocator.startingAt(end), superblock.baseAddress(), end);
    return new H5File(file, tree, options, sources);
  }

  /** Agrees that all ranks have the metadata; otherwise nobody has the file. */
  private static H5File attached(CollectiveFile file, Callable<H5File> metadata) {
    boolean ready = false;
    try {
      H5File opened = file.together(Operation.OPEN_FILE, "", "", metadata);
      ready = true;
      return opened;
    } finally {
      if (!ready) {
        file.discard();
      }
    }
  }

  /** The file's name. Local. */
  public Path path() {
    return file.path();
  }

  /** Bytes in the file. Local. */
  public long size() {
    return file.size();
  }

  /** The root group. */
  public Group root() {
    return new Group(this, "/", tree.rootAddress());
  }

  /**
   * The object at a path, following soft and external links.
   *
   * @throws NoSuchObjectException on all ranks if there is none
   */
  public H5Object object(String path) {
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

  /** The group at a path. */
  public Group group(String path) {
    if (object(path) instanceof Group group) {
      return group;
    }
    throw new NoSuchObjectException("not a group", path, path().toString());
  }

  /** The dataset at a path. */
  public Dataset dataset(String path) {
    if (object(path) instanceof Dataset dataset) {
      return dataset;
    }
    throw new NoSuchObjectException("not a dataset", path, path().toString());
  }

  /** Creates a group, and the groups above it that do not exist. */
  public Group createGroup(String path) {
    return file.together(
        Operation.CREATE_OBJECT, path, "group", () -> new Builder(this).group(path));
  }

  /**
   * Creates a group that keeps the order of its links, or not, and the groups above it that do not
   * exist.
   *
   * @throws io.skerry.collective.CollectiveException if the name is taken
   */
  public Group createGroup(String path, LinkOrder order) {
    return file.together(
        Operation.CREATE_OBJECT,
        path,
        "group " + order,
        () -> new Builder(this).group(path, order));
  }

  /** Commits a datatype under a name, for datasets and attributes to share. */
  public NamedDatatype createDatatype(String path, Datatype type) {
    return file.together(
        Operation.CREATE_OBJECT,
        path,
        type.toString(),
        () -> new Builder(this).datatype(path, type));
  }

  /** Gives an object of this file one more name, as good as the first. */
  public void createHardLink(String path, String targetPath) {
    change(Operation.LINK, path, targetPath, () -> new Builder(this).hardLink(path, targetPath));
  }

  /**
   * Removes a link. An object goes with its last hard link, and what nothing else holds below it;
   * its space is used again after the next flush. What was opened of it must not be used any more.
   */
  public void unlink(String path) {
    change(Operation.UNLINK, path, "", () -> new ObjectRemoval(this).unlink(path));
  }

  /** Gives a link another name or another group; missing groups above are created. */
  public void move(String from, String to) {
    change(Operation.MOVE, from, to, () -> new Builder(this).move(from, to));
  }

  /**
   * Copies an object of this file, and all that is below it, into the same or another file that is
   * open on the same ranks. Objects that several links lead to are copied once, circles included.
   * Elements are copied as they are stored where that is possible. See {@link ObjectCopier} for
   * more.
   *
   * @param from path of the object, through links of any kind
   * @param to path of the copy; missing groups above are created
   * @throws io.skerry.collective.CollectiveException if the name is taken, or something cannot be
   *     read; then nothing leads to what was copied
   */
  public void copy(String from, H5File target, String to, CopyOption... options) {
    ObjectCopier.between(this, target, options).copy(from, to);
  }

  /**
   * As {@link #copy(String, H5File, String, CopyOption...)}, into a group.
   *
   * @param name of the copy
   */
  public void copy(String from, Group target, String name, CopyOption... options) {
    copy(from, target.file(), target.childPath(name), options);
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

  /** Creates a dataset, and the groups above it that do not exist. */
  public Dataset createDataset(String path, DatasetSpec spec) {
    return file.together(
        Operation.CREATE_OBJECT,
        path,
        spec.describe(),
        () -> new Builder(this).dataset(path, spec));
  }

  /** Creates a link to an object of another file; the target need not exist yet. */
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

  /** Creates a link to a path of this file; the target need not exist yet. */
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

  /** A reference to an object of this file, to be stored as a value. Local. */
  public Value.ObjectReference reference(String path) {
    return new Value.ObjectReference(target(path));
  }

  /** A reference to elements of a dataset of this file, to be stored as a value. Local. */
  public Value.RegionReference reference(String path, Selection region) {
    return new Value.RegionReference(target(path), region);
  }

  private Value.Target target(String path) {
    return new Value.Target(Optional.empty(), Optional.of(path), Resolver.hardAddress(this, path));
  }

  /** Stores everything written so far; durable when it returns. */
  public void flush() {
    file.flush();
  }

  /** Stores everything and closes the file, and files opened through external links. */
  @Override
  public void close() {
    try {
      sources.close();
      external.values().forEach(H5File::close);
    } finally {
      file.close();
    }
  }

  /** Closes the file without storing what was not flushed. */
  public void discard() {
    try {
      sources.close();
      external.values().forEach(H5File::discard);
    } finally {
      file.discard();
    }
  }

  /**
   * What variable-length elements and references of this file lead to, for a {@link
   * io.skerry.value.ValueReader}. Local.
   */
  public Contents contents() {
    return contents;
  }

  VirtualSources sources() {
    return sources;
  }

  CollectiveFile collective() {
    return file;
  }

  ObjectTree tree() {
    return tree;
  }

  /**
   * The file that an external link names, opened with this one's access: an absolute name, else one
   * beside this file. An absolute name that is gone is looked for beside this file too.
   *
   * @param shown the path that led here, for error messages
   */
  H5File externalFile(String name, String shown) {
    Path target = path().toAbsolutePath().resolveSibling(name).normalize();
    if (!Files.isRegularFile(target) && target.getFileName() != null) {
      Path moved = path().toAbsolutePath().resolveSibling(target.getFileName());
      target = Files.isRegularFile(moved) ? moved : target;
    }
    if (target.equals(path().toAbsolutePath().normalize())) {
      return this;
    }
    H5File known = external.get(target);
    if (known == null) {
      if (file.access() == CollectiveFile.Access.CREATE) {
        throw new UnsupportedFeatureException(
            "following an external link from a file being created", path() + " -> " + name);
      }
      if (!Files.isRegularFile(target)) {
        throw new NoSuchObjectException(
            "the file of an external link is missing: target=" + target, shown, path().toString());
      }
      known = open(target, file.access(), file.ranks(), options);
      external.put(target, known);
    }
    return known;
  }
}
