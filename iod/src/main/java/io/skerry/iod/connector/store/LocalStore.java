package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.lease.IdCounters;
import io.skerry.iod.object.lease.LeasedIds;
import io.skerry.iod.object.model.ObjectCreator;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A container that this process serves alone, with all shards. */
public final class LocalStore implements ContainerStore {
  private static final long CLIENT = 0;

  private final ObjectStore store;
  private final LongSupplier size;
  private final Optional<Writing> writing;

  /** The state of a container that is open for writing. */
  private static final class Writing {
    private final LocalTransactions transactions;
    private final IdCounters counters;
    private final IdSource ids;
    private StoreChanges changes;

    Writing(ObjectStore store, LocalTransactions transactions, IdCounters counters) {
      this.transactions = transactions;
      this.counters = counters;
      this.ids = new LeasedIds(type -> counters.lease(type, CLIENT));
      this.changes = store.change(transactions.open());
    }
  }

  private LocalStore(ObjectStore store, LongSupplier size, Optional<Writing> writing) {
    this.store = store;
    this.size = size;
    this.writing = writing;
  }

  /**
   * Returns the store of a container that is open for reading.
   *
   * @param container the container with all shards; {@link #close} closes it
   * @param level the checksums
   * @param size returns the number of bytes that the container occupies
   */
  public static LocalStore reading(Container container, ChecksumLevel level, LongSupplier size) {
    return new LocalStore(ObjectStore.of(container, level), size, Optional.empty());
  }

  /**
   * Returns the store of a container that is open for writing, and recovers the container.
   *
   * @param container the container with all shards; {@link #close} closes it
   * @param level the checksums
   * @param size returns the number of bytes that the container occupies
   * @throws io.skerry.exception.FormatException if the root group or an id lease is damaged
   */
  public static LocalStore writing(Container container, ChecksumLevel level, LongSupplier size) {
    ObjectStore store = ObjectStore.of(container, level);
    LocalTransactions transactions = new LocalTransactions(container);
    IdCounters counters = IdCounters.read(store.at(transactions.persisted()));
    return new LocalStore(store, size, Optional.of(new Writing(store, transactions, counters)));
  }

  /**
   * Creates the root group of a new container in a transaction of its own, which is on disk when
   * the method returns.
   *
   * @param container the container with all shards, open for writing and not recovered
   * @param level the checksums
   */
  public static void createRoot(Container container, ChecksumLevel level) {
    LocalTransactions transactions = new LocalTransactions(container);
    try (StoreChanges changes = ObjectStore.of(container, level).change(transactions.open())) {
      var unused =
          ObjectCreator.createRoot(
              changes, CreationLists.file(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED));
      changes.prepare(Durability.BUFFERED);
      transactions.flush();
    }
  }

  @Override
  public String name() {
    return store.container().location().toString();
  }

  @Override
  public long bytes() {
    return size.getAsLong();
  }

  @Override
  public Values values() {
    return writing
        .<Values>map(state -> state.changes)
        .orElseGet(() -> store.at(store.container().readableMark()));
  }

  private Writing writable() {
    return writing.orElseThrow(
        () -> new IllegalStateException("the container is open for reading: container=" + name()));
  }

  @Override
  public ValueChanges changes() {
    return writable().changes;
  }

  @Override
  public IdSource ids() {
    return writable().ids;
  }

  /** Has no effect: numbers are leased when they are needed. */
  @Override
  public void reserve(long blobs) {}

  /** Has no effect: reads of this process see its changes. */
  @Override
  public void publish() {}

  @Override
  public int ownerOf(Place.Tile tile) {
    return 0;
  }

  @Override
  public void flush(LocalStatus status) {
    Writing state = writable();
    status.throwFailure();
    if (!state.changes.hasChanges()) {
      return;
    }
    state.counters.store(state.changes);
    state.changes.prepare(Durability.BUFFERED);
    state.transactions.flush();
    state.counters.readable(state.transactions.persisted());
    state.changes = store.change(state.transactions.open());
  }

  @Override
  public void close() {
    try (Container _ = store.container()) {
      writing.ifPresent(state -> state.changes.close());
    }
  }

  @Override
  public void abandon(RuntimeException cause) {
    close();
  }
}
