package io.skerry.iod.connector;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.LocalStore;
import io.skerry.iod.connector.store.ShippedStore;
import io.skerry.iod.connector.store.TileOwners;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.shipper.ContainerSource;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.option.Placement;
import io.skerry.iod.shipper.option.Protocol;
import io.skerry.iod.shipper.option.ShipperOptions;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Creates and opens the container of a file in an engine. Methods are local and thread-safe unless
 * they state otherwise.
 *
 * @param scheme the scheme of the engine
 * @param path the path of the container, which may name the state to read; see {@link
 *     ContainerPath}
 * @param settings the properties of the container
 * @param sources a function that replaces the source of a container that several ranks open; used
 *     by tests
 */
record ContainerOpener(
    String scheme, Path path, ContainerSettings settings, UnaryOperator<ContainerSource> sources) {

  ContainerOpener(String scheme, Path path, ContainerSettings settings) {
    this(scheme, path, settings, UnaryOperator.identity());
  }

  /**
   * Parses the path for an access mode, and returns the folder and the state that it names.
   *
   * @throws IllegalArgumentException if the path is malformed
   * @throws ContainerException if the path names a state, and the access is not reading
   */
  ContainerPath parsed(FileAccess access) {
    return ContainerPath.parse(path, access);
  }

  /**
   * Returns the location of the container in the engine.
   *
   * @throws IllegalArgumentException in the case of {@link #parsed}
   */
  EngineLocation location() {
    return new EngineLocation(scheme, parsed(FileAccess.READ).folder().toString());
  }

  /** Returns the location for ranks whose working directory may differ. */
  private EngineLocation absolute() {
    Path named = engine().isInFileSystem() ? path.toAbsolutePath() : path;
    return new EngineLocation(scheme, named.toString());
  }

  EngineProvider engine() {
    return Engines.of(location());
  }

  /**
   * Opens or creates the container on several ranks. Collective, within an operation.
   *
   * @param world the ranks, in whose call order the I/O ranks serve
   * @param ranks the same ranks
   * @param service the ranks that only serve; empty if some of the ranks also serve
   * @throws io.skerry.parallel.CollectiveException on all ranks in the cases of {@link
   *     #open(FileAccess, FileRanks)}
   */
  ContainerStore open(
      FileAccess access, Communicator world, FileRanks ranks, Optional<IoRanks> service) {
    LocalStatus status = new LocalStatus();
    long found = 0;
    Optional<ContainerPath> parsed =
        status.attempt(() -> Optional.of(parsed(access)), Optional.empty());
    if (ranks.isFirst()) {
      status.attempt(() -> prepare(access, ranks.communicator().size()));
      found = status.attempt(() -> (long) engine().info(location()).shards(), found);
    }
    int shards = (int) ranks.agree(status, found)[0];
    if (ranks.isFirst()) {
      service.ifPresent(others -> others.open(absolute(), access));
    }
    Placement placement =
        service
            .map(IoRanks::placement)
            .orElseGet(() ->
                new Placement(
                    world.size(), settings.ioRanks(world.size(), shards), Placement.Kind.SHARED));
    Optional<Shipper> opened =
        status.attempt(
            () -> Optional.of(ship(access, placement, service.map(IoRanks::world).orElse(world))),
            Optional.empty());
    boolean isOpen = false;
    try {
      var unused = ranks.agree(status);
      Shipper shipper = opened.orElseThrow();
      TileOwners owners = new TileOwners(placement, new ShardMap(shards));
      ContainerStore store =
          access == FileAccess.READ
              ? ShippedStore.reading(
                  ranks, shipper, settings.checksums(), this::bytes, parsed.orElseThrow().version())
              : ShippedStore.writing(ranks, shipper, settings.checksums(), this::bytes, owners);
      isOpen = true;
      return store;
    } finally {
      if (!isOpen) {
        // All ranks report the agreed failure rather than a failure to close the shipper.
        opened.ifPresent(shipper -> new LocalStatus().attempt(shipper::close));
      }
    }
  }

  /**
   * Opens the shipper of the container. Collective among the ranks that compute and those that
   * serve.
   *
   * @param world all these ranks
   */
  Shipper ship(FileAccess access, Placement placement, Communicator world) {
    ShipperOptions options =
        ShipperOptions.DEFAULT
            .with(placement.ioRanks(), placement.kind())
            .with(access == FileAccess.READ ? Protocol.DIRECT : Protocol.TRANSACTIONS)
            .with(settings.checksums())
            // Two ranks change the same place only in different operations, which run one by one.
            .with(Conflicts.UNDEFINED, Durability.BUFFERED);
    return Shipper.open(world, options, source(access));
  }

  private ContainerSource source(FileAccess access) {
    Opening opening = access == FileAccess.READ ? parsed(access).reading() : Opening.writing();
    return sources.apply(ContainerSource.of(location(), opening.with(settings.engine())));
  }

  /**
   * Opens or creates the container on one rank.
   *
   * @param ranks the rank
   * @throws ContainerException if there is no container to open, its creation was interrupted, the
   *     path of a new one is taken, or another opener writes to the container
   * @throws io.skerry.iod.engine.EngineException if the storage fails
   * @throws io.skerry.exception.FormatException if the container is damaged
   */
  ContainerStore open(FileAccess access, FileRanks ranks) {
    ContainerPath parsed = parsed(access);
    prepare(access, 1);
    boolean isReading = access == FileAccess.READ;
    Container container = open(isReading ? parsed.reading() : Opening.writing());
    boolean isOpen = false;
    try {
      ContainerStore store =
          isReading
              ? LocalStore.reading(
                  ranks, container, settings.checksums(), this::bytes, parsed.version())
              : LocalStore.writing(ranks, container, settings.checksums(), this::bytes);
      isOpen = true;
      return store;
    } finally {
      if (!isOpen) {
        container.close();
      }
    }
  }

  private void prepare(FileAccess access, int ranks) {
    switch (access) {
      case CREATE_NEW -> create(ranks);
      case CREATE -> replace(ranks);
      case READ, WRITE -> {}
    }
  }

  /**
   * Opens the container with all shards.
   *
   * @throws ContainerException if there is none, or its creation was interrupted
   */
  Container open(Opening opening) {
    Container container = opened(opening);
    boolean isComplete = false;
    try {
      LocalStore.requireRoot(container.readableMark(), location().path());
      isComplete = true;
      return container;
    } finally {
      if (!isComplete) {
        container.close();
      }
    }
  }

  /** Opens the container even if it has no root group. */
  private Container opened(Opening opening) {
    return engine().open(location(), opening.with(settings.engine()));
  }

  /** Removes any container at the path, but nothing else, and creates a new one. */
  private void replace(int ranks) {
    if (engine().isTaken(location())) {
      engine().remove(location());
    }
    create(ranks);
  }

  private void create(int ranks) {
    var unused = engine().create(location(), settings.shards(ranks));
    boolean isComplete = false;
    try {
      try (Container container = opened(Opening.writing())) {
        LocalStore.createRoot(container, settings.checksums());
      }
      isComplete = true;
    } finally {
      if (!isComplete) {
        // Without its root group, the container could neither be opened nor created again.
        engine().remove(location());
      }
    }
  }

  /** Returns the number of bytes that are stored for the container. */
  long bytes() {
    return engine().bytes(location());
  }
}
