package io.skerry.jobs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * The output while it is being made: a folder beside its destination. Only a finished and verified
 * run moves its files out of there, so that nobody takes half a run for a whole one.
 *
 * @param out where the main file goes
 * @param events where the sparse data go; the same if they are not split off
 */
record OutputPlace(Path out, Path events) {
  static OutputPlace of(LclsOptions options) {
    return new OutputPlace(options.out(), options.eventsFile());
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

  /** Makes the folder, without what an earlier run may have left in it. One rank does it. */
  void prepare() throws IOException {
    discard();
    if (Files.isDirectory(out)) {
      throw new IOException("the output is a folder: out=" + out);
    }
    try {
      Files.createDirectory(folder());
    } catch (IOException e) {
      throw new IOException("the output cannot be written: out=" + out + " cause=" + e, e);
    }
  }

  /** Moves the finished files to their destination. One rank does it. */
  void publish() throws IOException {
    List<Path> files = new ArrayList<>();
    if (!events.equals(out)) {
      // First what the main file links to.
      files.add(eventsFile());
    }
    files.add(mainFile());
    for (Path file : files) {
      Files.move(
          file, out.resolveSibling(file.getFileName()), StandardCopyOption.REPLACE_EXISTING);
    }
    discard();
  }

  /** Removes the folder. One rank does it. */
  void discard() throws IOException {
    if (!Files.exists(folder())) {
      return;
    }
    try (Stream<Path> inside = Files.walk(folder())) {
      for (Path path : inside.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(path);
      }
    }
  }
}
