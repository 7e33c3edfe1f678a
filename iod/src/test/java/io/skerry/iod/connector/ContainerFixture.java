package io.skerry.iod.connector;

import io.skerry.H5File;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * A file in a container of two shards, for tests that write and then check the open file, the file
 * after reopening, and the container. All ranks run the test.
 *
 * @param path the path of the container
 * @param ranks the number of ranks that open the file together
 */
record ContainerFixture(Path path, int ranks) {
  private static final IodConnector CONNECTOR =
      new IodConnector(new ContainerSettings(2, ChecksumLevel.STORE, EngineOptions.DEFAULT));

  /** Opens the file on one rank. */
  H5File open(FileAccess access) {
    return open(Communicator.self(), access);
  }

  /** Opens the file on the ranks of a communicator. Collective. */
  H5File open(Communicator world, FileAccess access) {
    return Connectors.open(CONNECTOR, path, access, world, FileOptions.standard());
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
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = open(world, access)) {
            writing.accept(file);
            check.accept(file);
          }
          try (H5File file = open(world, FileAccess.READ)) {
            check.accept(file);
          }
        });
    VerifyingConnector.verify(path);
  }
}
