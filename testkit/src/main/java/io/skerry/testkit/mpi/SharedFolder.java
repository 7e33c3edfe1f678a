package io.skerry.testkit.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.mpi.Communicator;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A fresh folder that all ranks of a case see. Closing does not communicate, so that a failing rank
 * can: rank 0 deletes the folder, and a case ends in a barrier if others may still need it.
 *
 * @param path the folder
 * @param owner whether this rank deletes it
 */
public record SharedFolder(Path path, boolean owner) implements AutoCloseable {

  /** Makes a folder under the system's temporary one; collective. */
  public static SharedFolder create(Communicator communicator) throws IOException {
    boolean owner = communicator.rank() == 0;
    var own = owner ? Files.createTempDirectory("skerry-ranks-").toString() : "";
    var agreed = new String(communicator.broadcast(own.getBytes(UTF_8), 0), UTF_8);
    return new SharedFolder(Path.of(agreed), owner);
  }

  /** A file in the folder. */
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
