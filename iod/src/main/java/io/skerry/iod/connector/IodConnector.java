package io.skerry.iod.connector;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Stores files in containers of an engine, by default of the embedded one. If several ranks open a
 * container together, some of them also serve its shards (see {@link ContainerSettings#ioRanks});
 * the package documentation states when they do. Immutable, thread-safe.
 */
public final class IodConnector implements Connector {
  /** The scheme of the embedded engine. */
  private static final String EMBEDDED = "iod";

  private final String scheme;
  private final ContainerSettings settings;
  private final Optional<IoRanks> service;
  private final UnaryOperator<ContainerSource> sources;

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
    this(EMBEDDED, settings);
  }

  /**
   * Creates a connector.
   *
   * @param scheme the scheme of the engine that keeps the containers
   * @param settings the properties of the containers
   */
  public IodConnector(String scheme, ContainerSettings settings) {
    this(scheme, settings, Optional.empty(), UnaryOperator.identity());
  }

  /**
   * Creates a connector for containers whose engine fails where a test wants it to.
   *
   * @param sources a function that replaces the source of a container that several ranks open
   */
  IodConnector(ContainerSettings settings, UnaryOperator<ContainerSource> sources) {
    this(EMBEDDED, settings, Optional.empty(), sources);
  }

  /**
   * Creates the connector of compute ranks.
   *
   * @param service the I/O ranks of its containers
   */
  IodConnector(String scheme, ContainerSettings settings, IoRanks service) {
    this(scheme, settings, Optional.of(service), UnaryOperator.identity());
  }

  private IodConnector(
      String scheme,
      ContainerSettings settings,
      Optional<IoRanks> service,
      UnaryOperator<ContainerSource> sources) {
    this.scheme = scheme;
    this.settings = settings;
    this.service = service;
    this.sources = sources;
  }

  @Override
  public String name() {
    return "iod";
  }

  /**
   * {@inheritDoc}
   *
   * <p>If a single rank opens the file, two options are used: the number of workers, and the
   * quiescent limit of the chunk cache, up to which decoded tiles of readable transactions are
   * kept.
   */
  @Override
  public StoredFile open(Path path, FileAccess access, Communicator world, FileOptions options) {
    Operation operation = access.isCreating() ? Operation.CREATE_FILE : Operation.OPEN_FILE;
    String arguments =
        "path=" + path.toAbsolutePath().normalize() + " access=" + access + " " + settings;
    FileRanks ranks = FileRanks.open(world, operation, path.toString(), arguments);
    boolean isOpen = false;
    try {
      ContainerOpener opener = opener(path);
      IodFile file =
          ranks.areSeveral() || service.isPresent()
              ? together(opener, access, world, ranks, options)
              : ranks.alone(
                  operation,
                  "",
                  () -> opened(opener, access, opener.open(access, ranks), ranks, options));
      isOpen = true;
      return file;
    } finally {
      ranks.leave();
      if (!isOpen) {
        ranks.close();
      }
    }
  }

  @Override
  public void withIoRanks(
      Communicator ranks, int ioRanks, BiConsumer<Communicator, Connector> program) {
    IoRanks.run(ranks, scheme, settings, ioRanks, Placement.Kind.LAST, program);
  }

  @Override
  public SpaceReport verify(Path path, FileOptions options, Verification.Watcher watcher) {
    return tools(path).verify(watcher);
  }

  @Override
  public void dump(Path path, Consumer<String> lines) {
    tools(path).dump(lines);
  }

  @Override
  public void remove(Path path) {
    tools(path).remove();
  }

  @Override
  public boolean isTaken(Path path) {
    return tools(path).isTaken();
  }

  @Override
  public long bytes(Path path) {
    return tools(path).bytes();
  }

  @Override
  public void move(Path from, Path to) {
    tools(from).move(opener(to));
  }

  @Override
  public Path beside(Path path, String suffix) {
    ContainerOpener opener = opener(path);
    return Path.of(opener.engine().beside(opener.location(), suffix).path());
  }

  @Override
  public boolean isInFileSystem() {
    return opener(Path.of("any")).engine().isInFileSystem();
  }

  private ContainerTools tools(Path path) {
    return new ContainerTools(opener(path));
  }

  private ContainerOpener opener(Path path) {
    return new ContainerOpener(scheme, path, settings, sources);
  }

  private IodFile together(
      ContainerOpener opener,
      FileAccess access,
      Communicator world,
      FileRanks ranks,
      FileOptions options) {
    try {
      return opened(opener, access, opener.open(access, world, ranks, service), ranks, options);
    } catch (CollectiveException e) {
      if (ranks.areSeveral()) {
        // A rank may reopen the container next, even alone, so all ranks must have closed it.
        ranks.communicator().barrier();
      }
      // The rank that has failed may throw an Error instead of the exception.
      throw LocalStatus.thrown(e);
    }
  }

  private static IodFile opened(
      ContainerOpener opener,
      FileAccess access,
      ContainerStore store,
      FileRanks ranks,
      FileOptions options) {
    boolean isSound = false;
    try {
      LocalStatus status = new LocalStatus();
      Optional<StoredObject> root =
          status.attempt(
              () -> Optional.of(StoredObject.open(store.values(), ObjectId.ROOT)),
              Optional.empty());
      ranks.requireGood(status);
      Session session = new Session(opener.path(), access, store, ranks, new CellTiles());
      IodFile file = new IodFile(session, root.orElseThrow().id(), options);
      isSound = true;
      return file;
    } finally {
      if (!isSound) {
        // All ranks report the agreed failure rather than a failure to close the store.
        new LocalStatus().attempt(store::close);
      }
    }
  }
}
