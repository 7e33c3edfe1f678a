package io.skerry.testkit.ranked;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A new folder that all ranks of a case can access. Closing involves no communication, so a failing
 * rank can close the folder. Rank 0 deletes the folder; a case must end with a barrier if other
 * ranks may still need the folder.
 *
 * @param path the folder
 * @param owner true if this rank deletes the folder
 */
public record SharedFolder(Path path, boolean owner) implements AutoCloseable {

  /** Creates a folder in the system's temporary folder. Collective. */
  public static SharedFolder create(Communicator communicator) throws IOException {
    boolean owner = communicator.rank() == 0;
    var own = owner ? Files.createTempDirectory("skerry-ranks-").toString() : "";
    var agreed = new String(communicator.broadcast(own.getBytes(UTF_8), 0), UTF_8);
    return new SharedFolder(Path.of(agreed), owner);
  }

  /** Returns the path of a file in the folder. */
  public Path file(String name) {
    return path.resolve(name);
  }

  @Override
  public void close() {
    if (!owner) {
      return;
    }
    try (var files = Files.walk(path)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
