package io.skerry.jobs.file;

import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.Trust;
import io.skerry.recovery.FileRecovery;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Checks that an output can be written to its destination and does not replace an input. Local;
 * changes nothing, except that a file of another store is recovered if the program that wrote it
 * was interrupted.
 */
public final class OutputCheck {
  private final OutputPlace place;

  OutputCheck(OutputPlace place) {
    this.place = place;
  }

  /**
   * Checks all destinations.
   *
   * @throws JobException if the output cannot or must not be written to a destination, which the
   *     message names
   */
  void run() {
    for (Path destination : place.destinations()) {
      InputFile.checkStore(destination);
      if (InputFile.isRemote(destination)) {
        remoteInputs(destination);
        continue;
      }
      kind(destination);
      folderOf(destination);
      inputs(destination);
      if (isWithin(place.folder(), InputFile.plain(destination))) {
        throw new JobException(
            "the output would go into the folder for unfinished output: out=" + destination);
      }
    }
    place.picture().ifPresent(this::picture);
    // Checked last, because the message of this error suggests --force, which would not
    // resolve the errors above.
    place.destinations().forEach(this::existing);
  }

  private static void kind(Path destination) {
    Path plain = InputFile.plain(destination);
    if (InputFile.isStored(destination)) {
      if (Files.exists(plain) && !Files.isDirectory(plain)) {
        throw new JobException("the output is a file of another kind: out=" + destination);
      }
      return;
    }
    if (Files.isDirectory(destination)) {
      throw new JobException("the output is a folder: out=" + destination);
    }
    if (Files.exists(destination) && !Files.isRegularFile(destination)) {
      throw new JobException("the output is not an ordinary file: out=" + destination);
    }
  }

  private static void folderOf(Path destination) {
    Path parent = InputFile.plain(destination).toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new JobException("the folder of the output does not exist: out=" + destination);
    }
    if (!Files.isWritable(parent)) {
      throw new JobException("the output's folder may not be written to: out=" + destination);
    }
  }

  private void inputs(Path out) {
    Path destination = InputFile.plain(out);
    Path made = InputFile.plain(place.made(out));
    for (Path input : place.inputs()) {
      if (isSame(input, destination) || isSame(input, made)) {
        throw new JobException("the output would replace the input: file=" + out);
      }
      if (isFolderWith(input, destination) || isFolderWith(destination, input)) {
        throw new JobException(
            "input and output are one within the other: input=%s out=%s".formatted(input, out));
      }
      if (isWithin(place.folder(), input) || isWithin(OutputPlace.folderOf(input), destination)) {
        throw new JobException(
            "input and output share a folder for unfinished output, which is cleared away: input=%s out=%s"
                .formatted(input, destination));
      }
      if (isSame(journalOf(input), destination) || isSame(input, journalOf(destination))) {
        throw new JobException(
            "input and output have the names of a file and of its journal: input=%s out=%s"
                .formatted(input, destination));
      }
    }
  }

  /** Checks a destination that is not in the file system. */
  private void remoteInputs(Path out) {
    for (Path input : place.inputs()) {
      if (isSame(input, InputFile.plain(out))) {
        throw new JobException("the output would replace the input: file=" + out);
      }
    }
  }

  private static boolean isFolderWith(Path folder, Path file) {
    return Files.isDirectory(folder) && isWithin(folder, file);
  }

  private void picture(Path picture) {
    List<Path> files = new ArrayList<>();
    place.parts().forEach(part -> files.add(InputFile.plain(part)));
    files.add(InputFile.plain(place.out()));
    for (Path file : files) {
      if (isSame(picture, file)) {
        throw new JobException("the picture and the output are one file: file=" + place.out());
      }
      if (isSame(picture, journalOf(file))) {
        throw new JobException("the picture has the name of the output's journal: file=" + picture);
      }
    }
  }

  private void existing(Path destination) {
    if (place.existing() == ExistingOutput.KEPT && InputFile.isTaken(destination)) {
      throw new JobException("the output exists, --force replaces it: out=" + destination);
    }
    if (InputFile.isStored(destination)) {
      if (InputFile.isTaken(destination)) {
        // Nothing but a file of the store may be replaced, and only if no program is writing it.
        InputFile.openForWriting(destination, Communicator.self(), Trust.SAME_FOLDER).discard();
      }
      return;
    }
    try {
      var unused = FileRecovery.look(destination);
    } catch (IllegalStateException e) {
      throw new JobException(e.getMessage() + " out=" + destination, e);
    } catch (IOException e) {
      throw new JobException(
          "the output cannot be replaced, " + e.getMessage() + " out=" + destination, e);
    }
  }

  /** Returns whether two paths name the same file, after normalization and resolution of links. */
  public static boolean isSame(Path one, Path other) {
    if (one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())) {
      return true;
    }
    try {
      return Files.exists(one) && Files.exists(other)
          ? Files.isSameFile(one, other)
          : real(one).equals(real(other));
    } catch (IOException e) {
      throw new UncheckedIOException("the files cannot be compared: " + e.getMessage(), e);
    }
  }

  private static boolean isWithin(Path folder, Path file) {
    try {
      return real(file).startsWith(real(folder));
    } catch (IOException e) {
      throw new UncheckedIOException("the files cannot be compared: " + e.getMessage(), e);
    }
  }

  /**
   * Returns the absolute path, with symbolic links resolved if the file or at least its folder
   * exists.
   */
  private static Path real(Path file) throws IOException {
    Path absolute = file.toAbsolutePath().normalize();
    if (Files.exists(absolute)) {
      return absolute.toRealPath();
    }
    Path parent = absolute.getParent();
    return parent != null && Files.exists(parent)
        ? parent.toRealPath().resolve(absolute.getFileName())
        : absolute;
  }

  private static Path journalOf(Path file) {
    return file.resolveSibling(file.getFileName() + ".journal");
  }
}
