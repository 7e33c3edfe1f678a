package io.skerry.jobs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The output while it is being made: a folder beside its destination. Only a finished and verified
 * run moves its files out of there, so that nobody takes half a run for a whole one. A run that is
 * interrupted or killed leaves them, for another to continue or to clear away. What else lies in
 * such a folder is never touched.
 *
 * @param out where the main file goes
 * @param events where the sparse data go; the same if they are not split off
 * @param picture where a picture goes
 * @param inputs the files that are read, which must not be replaced
 */
record OutputPlace(Path out, Path events, Optional<Path> picture, List<Path> inputs) {
  OutputPlace {
    inputs = List.copyOf(inputs);
  }

  static OutputPlace of(LclsOptions options) {
    return new OutputPlace(
        options.out(),
        options.eventsFile(),
        options.picture(),
        options.source() instanceof FrameSource.InFile(Path file, String _)
            ? InputFile.members(file)
            : List.of());
  }

  /** The place of one file that is made from another. */
  static OutputPlace of(Path out, Path input) {
    return new OutputPlace(out, out, Optional.empty(), InputFile.members(input));
  }

  private Path folder() {
    return out.resolveSibling(out.getFileName() + ".partial");
  }

  /** The main file in the making. */
  Path mainFile() {
    return folder().resolve(String.valueOf(out.getFileName()));
  }

  /** The file of the sparse data in the making. */
  Path eventsFile() {
    return folder().resolve(String.valueOf(events.getFileName()));
  }

  /** The picture in the making. */
  Path pictureFile() {
    return folder().resolve(out.getFileName() + ".picture");
  }

  private List<Path> destinations() {
    List<Path> all = new ArrayList<>();
    if (!events.equals(out)) {
      // First what the main file links to.
      all.add(events);
    }
    picture.ifPresent(all::add);
    all.add(out);
    return all;
  }

  private Path made(Path destination) {
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
  void prepare() throws IOException {
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
   * Checks that the output can go where it is meant to.
   *
   * @throws JobException if not
   */
  void check() {
    for (Path destination : destinations()) {
      check(destination);
    }
    if (picture.isPresent() && (same(picture.get(), out) || same(picture.get(), events))) {
      throw new JobException("the picture and the output are one file: file=" + out);
    }
  }

  private void check(Path destination) {
    if (Files.isDirectory(destination)) {
      throw new JobException("the output is a folder: out=" + destination);
    }
    if (Files.exists(destination) && !Files.isRegularFile(destination)) {
      throw new JobException("the output is not an ordinary file: out=" + destination);
    }
    Path parent = destination.toAbsolutePath().getParent();
    if (parent == null || !Files.isDirectory(parent)) {
      throw new JobException("the output has no folder to go to: out=" + destination);
    }
    if (!Files.isWritable(parent)) {
      throw new JobException("the output's folder may not be written to: out=" + destination);
    }
    for (Path file : List.of(destination, made(destination))) {
      for (Path input : inputs) {
        if (same(input, file)) {
          throw new JobException("the output would replace the input: file=" + destination);
        }
      }
    }
  }

  /** Whether two names are of one file, however they are spelled and through whatever links. */
  static boolean same(Path one, Path other) {
    if (one.toAbsolutePath().normalize().equals(other.toAbsolutePath().normalize())) {
      return true;
    }
    try {
      return Files.exists(one) && Files.exists(other) && Files.isSameFile(one, other);
    } catch (IOException e) {
      throw new UncheckedIOException("the files cannot be compared: " + e.getMessage(), e);
    }
  }

  /** Moves the finished files to their destination. One rank does it. */
  void publish() throws IOException {
    for (Path destination : destinations()) {
      Files.move(made(destination), destination, StandardCopyOption.REPLACE_EXISTING);
    }
    discard();
  }

  /** Removes what a run puts into the folder, and the folder. One rank does it. */
  void discard() throws IOException {
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
