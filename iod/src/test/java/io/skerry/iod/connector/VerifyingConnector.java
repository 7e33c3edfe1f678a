package io.skerry.iod.connector;

import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.check.ContainerVerifier;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** A connector that verifies the container at a path whenever a file is opened there. */
final class VerifyingConnector implements Connector {
  private final Connector connector;
  private final AtomicInteger verified = new AtomicInteger();

  VerifyingConnector(Connector connector) {
    this.connector = connector;
  }

  @Override
  public String name() {
    return connector.name();
  }

  @Override
  public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    if (ranks.rank() == 0 && Files.isDirectory(path)) {
      verify(path);
      verified.incrementAndGet();
    }
    // The others would write to the container meanwhile.
    ranks.barrier();
    return connector.open(path, access, ranks, options);
  }

  /** Returns the number of verifications. */
  int verified() {
    return verified.get();
  }

  /** Verifies a container of the embedded engine, as {@link #verify(EngineLocation)} does. */
  static void verify(Path path) {
    verify(new EngineLocation("iod", path.toString()));
  }

  /** Verifies objects and shards; both must be free of findings. */
  static void verify(EngineLocation location) {
    List<String> lines = new ArrayList<>();
    try (Container container = Engines.of(location).open(location, Opening.reading())) {
      long unused =
          ContainerVerifier.verify(
              container, container.readableMark(), new CellTiles(), lines::add);
      container.served().forEach(shard -> container.shard(shard).verify(lines::add));
    }
    if (!lines.isEmpty()) {
      throw new AssertionError("findings in " + location + ": " + String.join("; ", lines));
    }
  }
}
