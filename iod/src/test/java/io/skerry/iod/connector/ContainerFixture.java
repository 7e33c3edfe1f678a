package io.skerry.iod.connector;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file in a container of two shards, for tests that write and then check the open file, the file
 * after reopening, and the container.
 *
 * @param path the path of the container
 */
record ContainerFixture(Path path) {
  private static final IodConnector CONNECTOR =
      new IodConnector(new ContainerSettings(2, ChecksumLevel.STORE, EngineOptions.DEFAULT));

  H5File open(FileAccess access) {
    return Connectors.open(CONNECTOR, path, access, Communicator.self(), FileOptions.standard());
  }

  /**
   * Creates a file, checks it while it is open, and then reopened for reading; the container is
   * verified.
   */
  void create(Consumer<H5File> writing, Consumer<H5File> check) {
    play(FileAccess.CREATE, writing, check);
  }

  /** Changes a file as {@link #create} does. */
  void change(Consumer<H5File> writing, Consumer<H5File> check) {
    play(FileAccess.WRITE, writing, check);
  }

  private void play(FileAccess access, Consumer<H5File> writing, Consumer<H5File> check) {
    try (H5File file = open(access)) {
      writing.accept(file);
      check.accept(file);
    }
    try (H5File file = open(FileAccess.READ)) {
      check.accept(file);
    }
    VerifyingConnector.verify(path);
  }
}
