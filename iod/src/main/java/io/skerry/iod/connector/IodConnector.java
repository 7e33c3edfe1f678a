package io.skerry.iod.connector;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stores files in containers of the embedded engine, one folder each. A single rank opens a
 * container; a communicator of several ranks is refused. Immutable, thread-safe.
 */
public final class IodConnector implements Connector {
  private final ContainerSettings settings;

  /** Creates a connector with {@link ContainerSettings#DEFAULT}. */
  public IodConnector() {
    this(ContainerSettings.DEFAULT);
  }

  /**
   * Creates a connector.
   *
   * @param settings the properties of its containers
   */
  public IodConnector(ContainerSettings settings) {
    this.settings = settings;
  }

  @Override
  public String name() {
    return "iod";
  }

  /**
   * {@inheritDoc}
   *
   * <p>Of the options, only the chunk cache is kept, for {@link StoredFile#cacheOptions}; tiles are
   * not cached.
   *
   * @throws UnsupportedFeatureException on all ranks if there are several
   */
  @Override
  public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    if (ranks.size() != 1) {
      throw new UnsupportedFeatureException(
          "a container that several ranks open together: ranks=" + ranks.size(), path.toString());
    }
    Operation operation = access.isCreating() ? Operation.CREATE_FILE : Operation.OPEN_FILE;
    LocalStatus status = new LocalStatus();
    Optional<IodFile> file =
        status.attempt(() -> Optional.of(opened(path, access, options)), Optional.empty());
    if (status.failure().isPresent()) {
      RuntimeException failure = status.failure().get();
      throw LocalStatus.thrown(
          new CollectiveException(
              operation,
              "file=" + path,
              List.of(0),
              ranks.rankSet(),
              Optional.ofNullable(failure.getMessage()).orElse(failure.toString()),
              Optional.of(failure)));
    }
    return file.orElseThrow();
  }

  @Override
  public SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    return new ContainerTools(path, settings).verify(watcher);
  }

  @Override
  public void dump(Path path, Consumer<String> lines) {
    new ContainerTools(path, settings).dump(lines);
  }

  @Override
  public void remove(Path path) {
    new ContainerTools(path, settings).remove();
  }

  private IodFile opened(Path path, FileAccess access, FileOptions options) {
    ContainerStore store = new ContainerOpener(path, settings).open(access);
    boolean isSound = false;
    try {
      StoredObject root = StoredObject.open(store.values(), ObjectId.ROOT);
      IodFile file =
          new IodFile(new Session(path, access, store, new CellTiles()), root, options.cache());
      isSound = true;
      return file;
    } finally {
      if (!isSound) {
        store.close();
      }
    }
  }
}
