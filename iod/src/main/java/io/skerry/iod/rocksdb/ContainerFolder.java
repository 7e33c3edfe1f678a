package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.Manifest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The files of a container, or of one of its snapshots.
 *
 * <pre>
 * run/container             the description, see {@link Manifest}
 * run/container.incomplete  replaces it while the container is being created or removed
 * run/container.new         a description that is being written
 * run/shard-0/ ...          the database of each shard
 * run/shard-0.lock ...      locked by the process that writes to the shard
 * run/snapshots/NAME/       a snapshot: a description and databases; without description, incomplete
 * </pre>
 *
 * @param path the folder
 */
record ContainerFolder(Path path) {
  private static final String DESCRIPTION = "container";
  private static final String INCOMPLETE = "container.incomplete";
  private static final String WRITTEN = "container.new";
  private static final String SNAPSHOTS = "snapshots";

  Path shard(int number) {
    return path.resolve("shard-" + number);
  }

  Path lock(int number) {
    return path.resolve("shard-" + number + ".lock");
  }

  Path snapshots() {
    return path.resolve(SNAPSHOTS);
  }

  ContainerFolder snapshot(String name) {
    return new ContainerFolder(snapshots().resolve(name));
  }

  boolean isComplete() {
    return Files.isRegularFile(path.resolve(DESCRIPTION));
  }

  boolean isIncomplete() throws IOException {
    return !isComplete() && (Files.isRegularFile(path.resolve(INCOMPLETE)) || isBegun());
  }

  /** Returns whether a creation was interrupted while it wrote the first file. */
  private boolean isBegun() throws IOException {
    if (!Files.isRegularFile(path.resolve(WRITTEN))) {
      return false;
    }
    try (Stream<Path> files = Files.list(path)) {
      return files.count() == 1;
    }
  }

  /**
   * Reads the description.
   *
   * @throws ContainerException if there is no complete container of a known version
   * @throws io.skerry.exception.FormatException if the description is damaged
   */
  Manifest manifest() throws IOException {
    if (!isComplete()) {
      Reason reason =
          Files.notExists(path)
              ? Reason.MISSING
              : isIncomplete() ? Reason.INCOMPLETE : Reason.NOT_A_CONTAINER;
      throw new ContainerException(
          reason, path.toString(), "a folder with the file " + DESCRIPTION, content());
    }
    Path file = path.resolve(DESCRIPTION);
    try (InputStream in = Files.newInputStream(file)) {
      return Manifest.decode(in.readNBytes(Manifest.LARGEST), file.toString());
    }
  }

  /** Describes the content of the path, for messages. */
  String content() throws IOException {
    if (Files.notExists(path, LinkOption.NOFOLLOW_LINKS)) {
      return "nothing";
    }
    if (!Files.isDirectory(path)) {
      return "a file";
    }
    if (isComplete()) {
      return "a container";
    }
    if (isIncomplete()) {
      return "a container whose creation or removal was interrupted";
    }
    if (Files.exists(path.resolve("CURRENT"))) {
      return "a RocksDB database";
    }
    return isEmpty() ? "an empty folder" : "a folder without this file";
  }

  boolean isEmpty() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files.findAny().isEmpty();
    }
  }

  /** Creates the folder. */
  void create() throws IOException {
    Files.createDirectory(path);
  }

  /** Writes the description of an incomplete container. */
  void begin(Manifest manifest) throws IOException {
    write(manifest, INCOMPLETE);
  }

  /** Turns an incomplete container into a complete one. */
  void complete() throws IOException {
    move(INCOMPLETE, DESCRIPTION);
    syncParent();
  }

  /** Makes the existence of this folder durable. */
  private void syncParent() throws IOException {
    Optional<Path> parent = Optional.ofNullable(path.getParent());
    if (parent.isPresent()) {
      sync(parent.get());
    }
  }

  /** Turns a complete container into an incomplete one, which no longer opens. */
  void invalidate() throws IOException {
    if (isComplete()) {
      move(DESCRIPTION, INCOMPLETE);
    }
  }

  /** Writes the description, which completes a snapshot. */
  void complete(Manifest manifest) throws IOException {
    write(manifest, DESCRIPTION);
  }

  private void write(Manifest manifest, String name) throws IOException {
    Path file = path.resolve(WRITTEN);
    try (FileChannel channel =
        FileChannel.open(
            file,
            StandardOpenOption.WRITE,
            StandardOpenOption.CREATE,
            StandardOpenOption.TRUNCATE_EXISTING)) {
      ByteBuffer bytes = ByteBuffer.wrap(manifest.encode());
      while (bytes.hasRemaining()) {
        int unused = channel.write(bytes);
      }
      channel.force(true);
    }
    move(WRITTEN, name);
  }

  private void move(String from, String to) throws IOException {
    Files.move(path.resolve(from), path.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    sync(path);
  }

  /** Makes the names in a folder durable. */
  static void sync(Path folder) throws IOException {
    try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
      channel.force(true);
    }
  }

  /** Returns the numbers of the shards that have folders. */
  List<Integer> shards() throws IOException {
    try (Stream<Path> files = Files.list(path)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> name.matches("shard-[0-9]{1,5}"))
          .map(name -> Integer.valueOf(name.substring("shard-".length())))
          .sorted()
          .toList();
    }
  }

  /**
   * Deletes the folder. The description is deleted last, so that an interrupted deletion can be
   * recognized and repeated.
   */
  void delete() throws IOException {
    invalidate();
    List<Path> files;
    try (Stream<Path> found = Files.list(path)) {
      files = found.filter(file -> !file.endsWith(INCOMPLETE)).toList();
    }
    for (Path file : files) {
      deleteTree(file);
    }
    Files.deleteIfExists(path.resolve(INCOMPLETE));
    Files.delete(path);
    syncParent();
  }

  /** Deletes a file, or a folder with all it contains. Links are deleted, not followed. */
  static void deleteTree(Path root) throws IOException {
    Files.walkFileTree(
        root,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
              return FileVisitResult.CONTINUE;
            }
            throw e;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path folder, IOException e) throws IOException {
            Files.delete(folder);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Returns the total size of the files in bytes. */
  long bytes() throws IOException {
    FileSizes sizes = new FileSizes();
    Path unused = Files.walkFileTree(path, sizes);
    return sizes.sum;
  }

  /** Adds the sizes of files; those that the engine removes meanwhile are not counted. */
  private static final class FileSizes extends SimpleFileVisitor<Path> {
    private long sum;

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      sum += attributes.isRegularFile() ? attributes.size() : 0;
      return FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFileFailed(Path file, IOException failure) throws IOException {
      if (Files.exists(file)) {
        throw failure;
      }
      return FileVisitResult.CONTINUE;
    }
  }
}
