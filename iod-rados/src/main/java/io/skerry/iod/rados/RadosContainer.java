package io.skerry.iod.rados;

import io.skerry.iod.engine.ClosedTogether;
import io.skerry.iod.engine.ContainerAccess;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.ContainerException.Reason;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Snapshots;
import io.skerry.iod.engine.shard.AbstractContainer;
import io.skerry.iod.rados.library.Pool;
import io.skerry.iod.rados.library.RadosException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/** An open container, or an open snapshot of one. */
final class RadosContainer extends AbstractContainer<RadosShard> {
  /** The size of the largest batch of changes in bytes. */
  private static final long LARGEST_BATCH = 32 << 20;

  private final Connection connection;
  private final ContainerAccess access;
  private final ShardStore common;
  private final List<LeaseKeeper> keepers = new ArrayList<>();
  private boolean isClosed;

  private RadosContainer(
      EngineLocation location,
      Connection connection,
      Manifest manifest,
      ContainerAccess access,
      Pool pool) {
    super(location, connection.location().toString(), manifest);
    this.connection = connection;
    this.access = access;
    this.common =
        new ShardStore(
            Faults.of(connection.location()), new ShardNames(""), pool, Optional.empty());
  }

  /**
   * Opens a container, which then owns the connection.
   *
   * @throws ContainerException in the cases of {@link io.skerry.iod.engine.EngineProvider#open}
   * @throws RadosException if the cluster reports a failure
   */
  static RadosContainer open(EngineLocation location, Connection connection, Opening opening) {
    boolean kept = false;
    List<Runnable> parts = new ArrayList<>(List.of(connection::close));
    try {
      Pool pool = connection.pool();
      parts.addFirst(pool::close);
      Manifest complete = new Description(pool, connection.location()).complete();
      String snapshots = ShardNames.snapshots(complete.info().id());
      OptionalLong transaction = OptionalLong.empty();
      if (opening.snapshot().isPresent()) {
        String name = opening.snapshot().get();
        transaction =
            OptionalLong.of(
                RadosSnapshots.transaction(pool, snapshots, name)
                    .orElseThrow(() ->
                        RadosSnapshots.missing(
                            connection.location().toString(), "a complete snapshot", name)));
      }
      RadosContainer container =
          new RadosContainer(
              location,
              connection,
              new Manifest(complete.info(), transaction),
              opening.access(),
              pool);
      // Closes the pool and the connection as well.
      parts.clear();
      parts.add(container::close);
      for (int number : opening.shardsOf(complete.info())) {
        container.openShard(number, pool, opening);
      }
      if (opening.access() == ContainerAccess.WRITE) {
        container.keepers.add(new LeaseKeeper(container.path(), container.shards()));
      }
      kept = true;
      return container;
    } finally {
      if (!kept) {
        closeAll(parts);
      }
    }
  }

  private void openShard(int number, Pool pool, Opening opening) {
    ShardNames names = ShardNames.of(manifest().info().id(), number);
    Pool own = connection.pool();
    boolean kept = false;
    try {
      if (opening.snapshot().isPresent()) {
        String name = opening.snapshot().get();
        own.readAt(
            RadosSnapshots.ofShard(pool, snapshotObject(), name, number)
                .orElseThrow(() -> RadosSnapshots.missing(path(), "shard " + number, name)));
      }
      check(own, names, number);
      Optional<Lease> lease = Optional.empty();
      if (access == ContainerAccess.WRITE) {
        own.keep(RadosSnapshots.kept(pool, snapshotObject(), number));
        lease = Optional.of(Lease.take(connection, own, names.head(), path() + " shard=" + number));
      }
      Faults faults = Faults.of(connection.location()).ofShard(number);
      ShardStore store = new ShardStore(faults, names, own, lease);
      kept = true;
      add(shard(number, store, lease, opening));
    } finally {
      if (!kept) {
        own.close();
      }
    }
  }

  private RadosShard shard(int number, ShardStore store, Optional<Lease> lease, Opening opening) {
    EngineOptions options = opening.options();
    RadosChanges.ValueLimits limits =
        new RadosChanges.ValueLimits(
            options.largeValueBytes(),
            connection.location().stripe(),
            Math.min(LARGEST_BATCH, options.writeBufferBytes()));
    boolean kept = false;
    try {
      RadosShard shard =
          new RadosShard(
              number,
              store,
              lease,
              limits,
              opening.snapshot().isPresent()
                  ? ShardVerifier.Listing.NONE
                  : ShardVerifier.Listing.WHOLE_POOL);
      kept = true;
      return shard;
    } finally {
      if (!kept) {
        store.close();
      }
    }
  }

  private void check(Pool pool, ShardNames names, int number) {
    Optional<byte[]> identity = pool.attribute(names.head(), ShardNames.IDENTITY);
    String actual =
        identity.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse("nothing");
    if (!actual.equals(names.head())) {
      throw new ContainerException(
          Reason.WRONG_SHARD, path() + " shard=" + number, names.head(), actual);
    }
  }

  String path() {
    return connection.location().toString();
  }

  String snapshotObject() {
    return ShardNames.snapshots(manifest().info().id());
  }

  List<RadosShard> shards() {
    return List.copyOf(open());
  }

  /** Runs a call of librados that concerns no shard. */
  <T> T call(Function<Pool, T> call) {
    return common.call(call);
  }

  void requireWriting() {
    if (access == ContainerAccess.READ) {
      throw new IllegalStateException("the container is open for reading: container=" + path());
    }
  }

  /** Makes all later changes of a shard preserve its present snapshots. */
  void preserve(RadosShard shard) {
    List<Long> kept = call(pool -> RadosSnapshots.kept(pool, snapshotObject(), shard.number()));
    Pool next = connection.pool();
    boolean used = false;
    try {
      int unused =
          Faults.of(connection.location())
              .call(() -> {
                next.keep(kept);
                return 0;
              });
      shard.keep(next);
      used = true;
    } finally {
      if (!used) {
        next.close();
      }
    }
  }

  @Override
  protected boolean replaceMark(RadosShard first, long expected, long next) {
    return first
        .store()
        .changeHead(change ->
            change
                .expect(ShardNames.MARK, ShardStore.encode(expected))
                .attribute(ShardNames.MARK, ShardStore.encode(next)));
  }

  @Override
  public Snapshots snapshots() {
    return new RadosSnapshots(this);
  }

  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    List<Runnable> parts = new ArrayList<>();
    keepers.forEach(keeper -> parts.add(keeper::close));
    open().forEach(shard -> parts.add(shard::close));
    parts.add(common::close);
    parts.add(connection::close);
    closeAll(parts);
  }

  /** Closes all parts, and throws the first failure with the others as suppressed ones. */
  private static void closeAll(List<Runnable> closings) {
    ClosedTogether parts = new ClosedTogether();
    closings.forEach(parts::run);
    parts.throwFailure();
  }
}
