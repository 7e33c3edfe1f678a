package io.skerry.peers;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file, or a folder with all files in it.
 *
 * @param path the path
 */
record FileTree(Path path) {
  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).toList();
    }
  }

  /** Forces the files to the device. */
  void force() throws IOException {
    for (Path file : files()) {
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
    }
  }

  /** Returns the total size of the files in bytes. */
  long bytes() throws IOException {
    long total = 0;
    for (Path file : files()) {
      total += Files.size(file);
    }
    return total;
  }

  /** Deletes the path and everything in it; has no effect if the path does not exist. */
  void delete() throws IOException {
    if (Files.exists(path)) {
      try (Stream<Path> all = Files.walk(path)) {
        for (Path one : all.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }
}
