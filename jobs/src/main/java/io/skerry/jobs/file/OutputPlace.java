package io.skerry.jobs.file;

import io.skerry.Dataset;
import io.skerry.H5Object;
import io.skerry.jobs.run.JobException;
import io.skerry.recovery.FileRecovery;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import java.io.IOException;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The destinations of an output, and the folder that contains the files while they are incomplete,
 * next to the destination of the main file. A run moves its files out of the folder only after it
 * has succeeded, so that an incomplete output is never mistaken for a complete one. A run that is
 * interrupted or killed leaves the files there; a later run continues with them or removes them.
 * Other files in the folder are never touched.
 *
 * <p>The folder and the files get the permissions that the umask allows; a file that replaces
 * another file gets the permissions of the replaced file.
 *
 * <p>An output may be a file in another store, as in {@code iod:run}, which is a folder. If the
 * store is not in the file system, the unfinished file is next to its destination in the store, and
 * the folder, in the working directory, marks the run and contains its picture.
 *
 * @param out the destination of the main file, a path or a location
 * @param parts the destinations of the files to which the main file refers, in the folder of the
 *     main file
 * @param picture the destination of a picture, if any
 * @param inputs the input files, which must not be replaced
 * @param existing the treatment of other files that already exist at a destination
 */
public record OutputPlace(
    Path out,
    List<Path> parts,
    Optional<Path> picture,
    List<Path> inputs,
    ExistingOutput existing) {
  private static final String PARTIAL = ".partial";

  public OutputPlace {
    parts = List.copyOf(parts);
    inputs = List.copyOf(inputs);
  }

  /** Returns the place of a single output file that is created from one input. */
  public static OutputPlace of(Path out, Path input, ExistingOutput existing) {
    return new OutputPlace(out, List.of(), Optional.empty(), InputFile.members(input), existing);
  }

  /** Returns the folder for the unfinished output. */
  public Path folder() {
    return folderOf(out);
  }

  /** Returns the folder for the unfinished output whose main file has the given destination. */
  static Path folderOf(Path out) {
    if (InputFile.isRemote(out)) {
      return Path.of(remoteName(out) + PARTIAL);
    }
    Path plain = InputFile.plain(out);
    return plain.resolveSibling(plain.getFileName() + PARTIAL);
  }

  /** Returns the path or location of the main file while it is unfinished. */
  public Path mainFile() {
    return unfinished(out);
  }

  /**
   * Returns the last part of the name of a file in a store, without the options of the location.
   */
  private static String remoteName(Path out) {
    String path = InputFile.plain(out).toString();
    int options = path.indexOf('?');
    String name = options < 0 ? path : path.substring(0, options);
    return name.substring(name.lastIndexOf('/') + 1);
  }

  private static Path beside(Path out, String suffix) {
    Connectors.Location location = InputFile.location(out);
    return Path.of(location.at(store(location).beside(location.path(), suffix)).toString());
  }

  private static Connector store(Connectors.Location location) {
    return Connectors.connector(location.scheme().orElseThrow());
  }

  private Path unfinished(Path destination) {
    if (InputFile.isRemote(destination)) {
      return beside(destination, PARTIAL);
    }
    Path inside = folder().resolve(String.valueOf(InputFile.plain(destination).getFileName()));
    return Path.of(InputFile.location(destination).at(inside).toString());
  }

  /** Returns the path of the picture while it is unfinished. */
  public Path pictureFile() {
    Object name = InputFile.isRemote(out) ? remoteName(out) : InputFile.plain(out).getFileName();
    return folder().resolve(name + ".picture");
  }

  /** Returns the destinations of all files, in the order in which the files are moved. */
  List<Path> destinations() {
    // The main file refers to the parts, so they are moved first.
    List<Path> all = new ArrayList<>(parts);
    picture.ifPresent(all::add);
    all.add(out);
    return all;
  }

  /** Returns the path of the unfinished file for a destination. */
  public Path made(Path destination) {
    if (destination.equals(out)) {
      return mainFile();
    }
    return parts.contains(destination) ? unfinished(destination) : pictureFile();
  }

  /**
   * Returns the HDF5 files of this output in the folder, and those that the ranks of other runs
   * left there.
   */
  private List<Path> madeFiles() throws IOException {
    List<Path> all = new ArrayList<>(List.of(mainFile()));
    parts.forEach(part -> all.add(made(part)));
    if (Files.isDirectory(folder(), LinkOption.NOFOLLOW_LINKS)) {
      try (Stream<Path> found = Files.list(folder())) {
        found.filter(file -> RankFileName.isOf(out, file)).forEach(all::add);
      }
    }
    return all;
  }

  /**
   * Creates the folder for unfinished output, after removing the files of an earlier run. Called on
   * one rank.
   *
   * @throws JobException if the output cannot be written to its destination or another run is
   *     writing its files, in which case nothing has been changed, or if the folder contains other
   *     files or cannot be created, in which case the files of an earlier run may have been removed
   */
  public void prepare() throws IOException {
    check();
    try {
      abandoned();
      discard();
      Files.createDirectory(folder());
    } catch (DirectoryNotEmptyException e) {
      throw new JobException("the folder for unfinished output holds other files: " + e, e);
    } catch (IOException e) {
      throw new JobException("the output cannot be written: out=" + out + " cause=" + e, e);
    }
  }

  /** Checks that no process is writing the files of an earlier run. */
  private void abandoned() throws IOException {
    for (Path file : madeFiles()) {
      if (InputFile.isStored(file)) {
        // Its removal fails if another run is writing it.
        continue;
      }
      try {
        var unused = FileRecovery.look(file);
      } catch (IllegalStateException e) {
        throw new JobException(
            "another run is writing the same output: out=" + out + " cause=" + e.getMessage(), e);
      }
    }
  }

  /**
   * Checks that the output can be written to its destination. Changes nothing.
   *
   * @throws JobException if the output cannot be written there
   */
  public void check() {
    new OutputCheck(this).run();
  }

  /**
   * Checks that the output does not replace a file from which an object of the input is read: the
   * file that contains the object, which an external link may point to, or a file that stores its
   * elements. Changes nothing.
   *
   * @param object an object of the open input
   * @throws JobException if {@link #check} rejects the output, or if the output would replace one
   *     of these files or could replace a file that the trust policy refuses and that is therefore
   *     not looked up
   */
  public void checkRead(H5Object object) {
    List<Path> read = new ArrayList<>(InputFile.members(object.file().path()));
    if (object instanceof Dataset dataset) {
      read.addAll(dataset.elementFiles());
      List<String> refused = dataset.refusedFiles();
      if (existing == ExistingOutput.REPLACED && !refused.isEmpty()) {
        throw unknown(object.shownPath(), refused.getFirst());
      }
    }
    new OutputPlace(out, parts, picture, read, existing).check();
  }

  /**
   * Returns the exception for an output that could replace a file with elements of the input.
   *
   * @param path the path of an object whose files are not all known
   * @param reason the reason why they are not known
   */
  public JobException unknown(String path, String reason) {
    return new JobException(
        "--force could replace a file of the input, since not all of its files are known: object=%s out=%s reason=%s"
            .formatted(path, out, reason));
  }

  /**
   * Moves the complete files to their destinations. Called on one rank.
   *
   * @throws JobException if a file that must not be replaced has appeared at a destination since
   *     the run began; files that have not been moved then remain in the folder
   */
  public void publish() throws IOException {
    for (Path destination : destinations()) {
      if (existing == ExistingOutput.KEPT && InputFile.isTaken(destination)) {
        throw appeared(destination);
      }
    }
    for (Path part : parts) {
      forget(part);
    }
    forget(out);
    for (Path destination : destinations()) {
      Path made = made(destination);
      if (InputFile.isStored(destination)) {
        publishStored(destination, made);
        continue;
      }
      switch (existing) {
        case KEPT -> moveToFree(made, destination);
        case REPLACED -> replace(destination, made);
      }
    }
    discard();
  }

  private static void forget(Path file) throws IOException {
    if (!InputFile.isStored(file)) {
      FileRecovery.forget(file);
    }
  }

  /** Moves a file within its store. A replaced file is removed last. */
  private void publishRemote(Path destination, Path made) {
    Connectors.Location location = InputFile.location(destination);
    Connector store = store(location);
    Path to = location.path();
    Path replaced = store.beside(to, ".replaced");
    boolean replaces = existing == ExistingOutput.REPLACED && store.isTaken(to);
    if (replaces) {
      store.move(to, replaced);
    }
    store.move(InputFile.plain(made), to);
    if (replaces) {
      store.remove(replaced);
    }
  }

  /** Moves a file of another store, which is a folder. A replaced file is removed last. */
  private void publishStored(Path destination, Path made) throws IOException {
    if (InputFile.isRemote(destination)) {
      publishRemote(destination, made);
      return;
    }
    Path to = InputFile.plain(destination);
    Path replaced = folder().resolve(to.getFileName() + ".replaced");
    boolean replaces = existing == ExistingOutput.REPLACED && Files.exists(to);
    if (replaces) {
      Files.move(to, replaced);
    }
    Files.move(InputFile.plain(made), to);
    if (replaces) {
      removeStored(Path.of(InputFile.location(destination).at(replaced).toString()));
    }
  }

  private static void removeStored(Path file) {
    Connectors.Location location = InputFile.location(file);
    store(location).remove(location.path());
  }

  /**
   * Moves a file to a destination that must not exist yet. Creating a hard link succeeds or fails
   * atomically; a check followed by a move would not be atomic.
   */
  private void moveToFree(Path made, Path destination) throws IOException {
    try {
      Files.createLink(destination, made);
    } catch (FileAlreadyExistsException e) {
      throw appeared(destination);
    } catch (FileSystemException | UnsupportedOperationException e) {
      // Not every file system supports hard links, and no hard link can refer to another file
      // system.
      Files.move(made, destination);
      return;
    }
    Files.delete(made);
  }

  private JobException appeared(Path destination) {
    return new JobException(
        "a file has appeared where the output goes, which stays where it was made: out=%s made=%s"
            .formatted(destination, made(destination)));
  }

  private static void replace(Path destination, Path made) throws IOException {
    keepPermissions(destination, made);
    try {
      Files.move(made, destination, StandardCopyOption.ATOMIC_MOVE);
    } catch (AtomicMoveNotSupportedException e) {
      // The destination of a picture may be on another file system.
      Files.move(made, destination, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** Copies the permissions of a replaced file, so that a private file does not become public. */
  private static void keepPermissions(Path replaced, Path made) throws IOException {
    if (Files.isRegularFile(replaced)
        && Files.getFileStore(made).supportsFileAttributeView(PosixFileAttributeView.class)) {
      Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(replaced));
    }
  }

  /** Removes the files of a run from the folder, and then the folder itself. Called on one rank. */
  public void discard() throws IOException {
    boolean hasFolder = Files.isDirectory(folder(), LinkOption.NOFOLLOW_LINKS);
    if (!hasFolder && !InputFile.isRemote(out)) {
      return;
    }
    List<Path> files = new ArrayList<>(madeFiles());
    files.add(pictureFile());
    for (Path file : files) {
      if (InputFile.isStored(file)) {
        if (InputFile.isTaken(file)) {
          removeStored(file);
        }
        continue;
      }
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".journal"));
    }
    if (hasFolder) {
      Files.delete(folder());
    }
  }
}
