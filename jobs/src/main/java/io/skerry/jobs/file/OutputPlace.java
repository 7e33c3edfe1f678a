package io.skerry.jobs.file;

import io.skerry.Dataset;
import io.skerry.H5Object;
import io.skerry.jobs.run.JobException;
import io.skerry.recovery.FileRecovery;
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

/**
 * The output while it is being made: a folder beside its destination. Only a finished and verified
 * run moves its files out of there, so that nobody takes half a run for a whole one. A run that is
 * interrupted or killed leaves them, for another to continue or to clear away. What else lies in
 * such a folder is never touched.
 *
 * <p>Folder and files are made with the permissions that the umask leaves; a file that takes the
 * place of another one takes its permissions too.
 *
 * @param out where the main file goes
 * @param events where the sparse data go; the same if they are not split off
 * @param picture where a picture goes
 * @param inputs the files that are read, which must not be replaced
 * @param existing whether other files may be
 */
public record OutputPlace(
    Path out, Path events, Optional<Path> picture, List<Path> inputs, ExistingOutput existing) {
  public OutputPlace {
    inputs = List.copyOf(inputs);
  }

  /** The place of one file that is made from another. */
  public static OutputPlace of(Path out, Path input, ExistingOutput existing) {
    return new OutputPlace(out, out, Optional.empty(), InputFile.members(input), existing);
  }

  /** The folder in which the output is made. */
  public Path folder() {
    return folderOf(out);
  }

  /** The folder in which a file is made. */
  static Path folderOf(Path out) {
    return out.resolveSibling(out.getFileName() + ".partial");
  }

  /** The main file in the making. */
  public Path mainFile() {
    return folder().resolve(String.valueOf(out.getFileName()));
  }

  /** The file of the sparse data in the making. */
  public Path eventsFile() {
    return folder().resolve(String.valueOf(events.getFileName()));
  }

  /** The picture in the making. */
  public Path pictureFile() {
    return folder().resolve(out.getFileName() + ".picture");
  }

  /** The places of all files, in the order in which they are filled. */
  List<Path> destinations() {
    List<Path> all = new ArrayList<>();
    if (!events.equals(out)) {
      // First what the main file links to.
      all.add(events);
    }
    picture.ifPresent(all::add);
    all.add(out);
    return all;
  }

  /** The file that goes to a destination, in the making. */
  Path made(Path destination) {
    if (destination.equals(out)) {
      return mainFile();
    }
    return destination.equals(events) ? eventsFile() : pictureFile();
  }

  /**
   * Makes the folder, without what an earlier run may have left in it. One rank does it.
   *
   * @throws JobException if the output cannot go where it is meant to; nothing has changed then
   */
  public void prepare() throws IOException {
    check();
    try {
      discard();
      Files.createDirectory(folder());
    } catch (DirectoryNotEmptyException e) {
      throw new JobException("the folder for unfinished output holds other files: " + e, e);
    } catch (IOException e) {
      throw new JobException("the output cannot be written: out=" + out + " cause=" + e, e);
    }
  }

  /**
   * Checks that the output can go where it is meant to. Changes nothing.
   *
   * @throws JobException if not
   */
  public void check() {
    new OutputCheck(this).run();
  }

  /**
   * Checks, when the input is open, that the output does not replace a file that is read: the one
   * that a link of the input has led to, or one that holds elements of it. Changes nothing.
   *
   * @param object of the input
   * @throws JobException if it does
   */
  public void checkRead(H5Object object) {
    List<Path> read = new ArrayList<>(InputFile.members(object.file().path()));
    if (object instanceof Dataset dataset) {
      read.addAll(dataset.elementFiles());
    }
    new OutputPlace(out, events, picture, read, existing).check();
  }

  /**
   * Moves the finished files to their destination. One rank does it.
   *
   * @throws JobException if a file must not be replaced that was not there when the run began; the
   *     output stays in its folder then
   */
  public void publish() throws IOException {
    for (Path destination : destinations()) {
      if (existing == ExistingOutput.KEPT && OutputCheck.isTaken(destination)) {
        throw appeared(destination);
      }
    }
    for (Path file : List.of(events, out)) {
      FileRecovery.forget(file);
    }
    for (Path destination : destinations()) {
      Path made = made(destination);
      switch (existing) {
        case KEPT -> moveToFree(made, destination);
        case REPLACED -> replace(destination, made);
      }
    }
    discard();
  }

  /** A link is made or refused in one step; looking and moving are two. */
  private void moveToFree(Path made, Path destination) throws IOException {
    try {
      Files.createLink(destination, made);
    } catch (FileAlreadyExistsException e) {
      throw appeared(destination);
    } catch (FileSystemException | UnsupportedOperationException e) {
      // Not every file system has hard links.
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
      // A picture may go to another file system.
      Files.move(made, destination, StandardCopyOption.REPLACE_EXISTING);
    }
  }

  /** What only some may read is not shown to others by being made again. */
  private static void keepPermissions(Path replaced, Path made) throws IOException {
    if (Files.isRegularFile(replaced)
        && Files.getFileStore(made).supportsFileAttributeView(PosixFileAttributeView.class)) {
      Files.setPosixFilePermissions(made, Files.getPosixFilePermissions(replaced));
    }
  }

  /** Removes what a run puts into the folder, and the folder. One rank does it. */
  public void discard() throws IOException {
    if (!Files.isDirectory(folder(), LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path file : List.of(mainFile(), eventsFile(), pictureFile())) {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.resolveSibling(file.getFileName() + ".journal"));
    }
    Files.delete(folder());
  }
}
