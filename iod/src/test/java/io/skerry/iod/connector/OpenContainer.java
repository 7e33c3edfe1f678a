package io.skerry.iod.connector;

import io.skerry.Transactions;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.LocalStore;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;
import java.util.Set;

/**
 * A connector that opens the file of a container that is open already, at a transaction that need
 * not be readable. Each file is for one rank and for reading.
 *
 * @param container the container, which remains open
 */
public record OpenContainer(Container container) implements Connector {
  /** An assumed number of bytes of the container. */
  private static final long BYTES = 1 << 20;

  /**
   * A container as a reader of a transaction sees it. A reader does not close it.
   *
   * @param container the container
   * @param readableMark the transaction
   */
  public record At(Container container, long readableMark) implements Container {
    @Override
    public EngineLocation location() {
      return container.location();
    }

    @Override
    public ContainerInfo info() {
      return container.info();
    }

    @Override
    public Set<Integer> served() {
      return container.served();
    }

    @Override
    public Shard shard(int number) {
      return container.shard(number);
    }

    @Override
    public boolean advance(long expected, long next) {
      throw new UnsupportedOperationException("a container for readers");
    }

    @Override
    public Snapshots snapshots() {
      return container.snapshots();
    }

    @Override
    public void close() {}
  }

  @Override
  public String name() {
    return "open";
  }

  @Override
  public StoredFile open(Path path, FileAccess access, Communicator world, FileOptions options) {
    FileRanks ranks = FileRanks.open(world, Operation.OPEN_FILE, path.toString(), "");
    boolean isOpen = false;
    try {
      StoredFile file = ranks.alone(Operation.OPEN_FILE, "", () -> opened(path, ranks, options));
      isOpen = true;
      return file;
    } finally {
      ranks.leave();
      if (!isOpen) {
        ranks.close();
      }
    }
  }

  private IodFile opened(Path path, FileRanks ranks, FileOptions options) {
    ContainerStore store =
        LocalStore.reading(
            ranks, container, ChecksumLevel.STORE, () -> BYTES, Transactions.Version.last());
    ObjectId root = StoredObject.open(store.values(), ObjectId.ROOT).id();
    Session session = new Session(path, FileAccess.READ, store, ranks, new CellTiles());
    return new IodFile(session, root, options);
  }
}
