package io.skerry.iod.rados;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.Submission;
import io.skerry.iod.rados.library.WriteOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * The distributed engine. Its locations are {@code iod+rados://POOL/NAME}, followed by options as
 * in {@code ?conf=FILE&user=NAME&keyring=FILE&namespace=NAME&stripe=BYTES&timeout=SECONDS}.
 */
public final class RadosProvider implements EngineProvider {
  private static final Set<Integer> NOTHING = Set.of();

  /** The number of heads that are created at the same time. */
  private static final int AT_ONCE = 64;

  /** Creates the engine. */
  public RadosProvider() {}

  @Override
  public String scheme() {
    return RadosLocation.SCHEME;
  }

  /** Runs a step with a connection of its own. */
  private static <T> T with(EngineLocation location, BiFunction<Connection, Pool, T> step) {
    RadosLocation parsed = RadosLocation.of(location);
    try (Connection connection = Connection.open(parsed)) {
      try (Pool pool = connection.pool()) {
        return step.apply(connection, pool);
      }
    } catch (RadosException e) {
      throw Faults.of(parsed).of(e);
    }
  }

  @Override
  public ContainerInfo create(EngineLocation location, int shards) {
    ContainerInfo info = new ContainerInfo(UUID.randomUUID(), Manifest.VERSION, shards);
    return with(
        location,
        (connection, pool) -> {
          Description description = new Description(pool, connection.location());
          description.create(Manifest.of(info), Description.State.INCOMPLETE);
          createHeads(pool, info);
          description.set(Description.State.COMPLETE);
          return info;
        });
  }

  private static void createHeads(Pool pool, ContainerInfo info) {
    List<Submission> submitted = new ArrayList<>();
    for (int number = 0; number < info.shards(); number++) {
      ShardNames names = ShardNames.of(info.id(), number);
      try (WriteOperation change =
          pool.change()
              .create()
              .attribute(ShardNames.IDENTITY, Pool.ascii(names.head()))
              .attribute(ShardNames.OLDEST, ShardStore.encode(0))) {
        if (number == 0) {
          var unused = change.attribute(ShardNames.MARK, ShardStore.encode(0));
        }
        submitted.add(pool.submit(names.head(), change, NOTHING));
      }
      if (submitted.size() == AT_ONCE || number == info.shards() - 1) {
        submitted.forEach(Submission::await);
        submitted.clear();
      }
    }
  }

  @Override
  public ContainerInfo info(EngineLocation location) {
    return with(
        location,
        (connection, pool) -> new Description(pool, connection.location()).complete().info());
  }

  @Override
  public Container open(EngineLocation location, Opening opening) {
    RadosLocation parsed = RadosLocation.of(location);
    try {
      return RadosContainer.open(location, Connection.open(parsed), opening);
    } catch (RadosException e) {
      throw Faults.of(parsed).of(e);
    }
  }

  @Override
  public void remove(EngineLocation location) {
    boolean unused =
        with(
            location,
            (connection, pool) -> {
              remove(connection, pool);
              return true;
            });
  }

  private static void remove(Connection connection, Pool pool) {
    Description description = new Description(pool, connection.location());
    ContainerInfo info = description.read().info();
    List<ShardStore> shards = new ArrayList<>();
    try {
      for (int number = 0; number < info.shards(); number++) {
        lock(connection, info, number).ifPresent(shards::add);
      }
      description.set(Description.State.INCOMPLETE);
      for (ShardStore shard : shards) {
        new Removal(shard, new VersionReader(shard)).removeAll();
      }
    } finally {
      shards.forEach(ShardStore::close);
    }
    String snapshots = ShardNames.snapshots(info.id());
    RadosSnapshots.all(pool, snapshots).forEach(each -> RadosSnapshots.remove(pool, each));
    for (int number = 0; number < info.shards(); number++) {
      removeObject(pool, ShardNames.of(info.id(), number).head());
    }
    removeObject(pool, snapshots);
    description.remove();
  }

  /** Locks a shard for its removal; empty if its head is missing. */
  private static Optional<ShardStore> lock(Connection connection, ContainerInfo info, int number) {
    ShardNames names = ShardNames.of(info.id(), number);
    Pool pool = connection.pool();
    boolean kept = false;
    try {
      if (pool.attribute(names.head(), ShardNames.IDENTITY).isEmpty()) {
        return Optional.empty();
      }
      String path = connection.location() + " shard=" + number;
      Lease lease = Lease.take(connection, pool, names.head(), path);
      kept = true;
      return Optional.of(
          new ShardStore(
              Faults.of(connection.location()).ofShard(number), names, pool, Optional.of(lease)));
    } finally {
      if (!kept) {
        pool.close();
      }
    }
  }

  @Override
  public boolean isTaken(EngineLocation location) {
    return with(
        location, (connection, pool) -> new Description(pool, connection.location()).exists());
  }

  /**
   * {@inheritDoc}
   *
   * <p>Reads all pairs of the container; {@link StoredBytes} states what is counted.
   */
  @Override
  public long bytes(EngineLocation location) {
    return with(
        location,
        (connection, pool) -> {
          RadosLocation parsed = connection.location();
          ContainerInfo info = new Description(pool, parsed).complete().info();
          StoredBytes bytes = new StoredBytes(pool);
          return bytes.of(parsed.name()) + bytes.withPrefix(ShardNames.prefix(info.id()));
        });
  }

  @Override
  public void move(EngineLocation from, EngineLocation to) {
    RadosLocation source = RadosLocation.of(from);
    RadosLocation target = RadosLocation.of(to);
    if (!source.pool().equals(target.pool()) || !source.namespace().equals(target.namespace())) {
      throw new IllegalArgumentException(
          "a container moves within a pool and a namespace only: from=" + from + " to=" + to);
    }
    boolean unused =
        with(
            from,
            (connection, pool) -> {
              Description old = new Description(pool, source);
              Manifest manifest = old.complete();
              new Description(pool, target).create(manifest, Description.State.COMPLETE);
              old.remove();
              return true;
            });
  }

  @Override
  public EngineLocation beside(EngineLocation location, String suffix) {
    String path = location.path();
    int options = path.indexOf('?');
    int end = options < 0 ? path.length() : options;
    return new EngineLocation(
        location.scheme(), path.substring(0, end) + suffix + path.substring(end));
  }

  @Override
  public boolean isInFileSystem() {
    return false;
  }

  private static void removeObject(Pool pool, String name) {
    try (WriteOperation change = pool.change()) {
      pool.submit(name, change.remove(), Set.of(RadosException.NO_ENTRY)).await();
    }
  }
}
