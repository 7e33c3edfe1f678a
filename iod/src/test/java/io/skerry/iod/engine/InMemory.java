package io.skerry.iod.engine;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.extension.AnnotatedElementContext;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.io.TempDirFactory;

/** Creates folders in memory, where the system has such a file system; syncs take no time there. */
public final class InMemory implements TempDirFactory {
  /** Creates the factory. */
  public InMemory() {}

  @Override
  public Path createTempDirectory(AnnotatedElementContext element, ExtensionContext extension)
      throws IOException {
    var memory = Path.of("/dev/shm");
    return Files.isWritable(memory)
        ? Files.createTempDirectory(memory, "skerry-iod")
        : Files.createTempDirectory("skerry-iod");
  }
}
