package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.iod.encoding.property.CreationLists;
import io.skerry.iod.encoding.property.CreationOrder;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.ObjectCreator;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A container that this process serves alone, with all shards. */
public final class LocalStore implements Backing {
  private final ObjectStore store;
  private final LongSupplier size;
  private final TransactionClient transactions;

  private LocalStore(ObjectStore store, LongSupplier size, TransactionClient transactions) {
    this.store = store;
    this.size = size;
    this.transactions = transactions;
  }

  /**
   * Returns the store of a container that is open for reading.
   *
   * @param ranks the only rank
   * @param container the container with all shards; {@link ContainerStore#close} closes it
   * @param level the checksum level
   * @param size returns the number of bytes that the container occupies
   * @param version the version to read
   * @throws io.skerry.iod.engine.ContainerException if there is no such version; the caller closes
   *     the container
   */
  public static ContainerStore reading(
      FileRanks ranks,
      Container container,
      ChecksumLevel level,
      LongSupplier size,
      Transactions.Version version) {
    return new StoredVersions(container, level, size, ContainerStore.Readers.ALL_THREADS)
        .open(ranks, version, container::close, _ -> container.close());
  }

  /**
   * Returns the store of a container that is open for writing, and recovers the container.
   *
   * @param ranks the only rank
   * @param container the container with all shards; {@link ContainerStore#close} closes it
   * @param level the checksum level
   * @param size returns the number of bytes that the container occupies
   * @throws io.skerry.exception.FormatException if the root group or an id lease is damaged
   */
  public static ContainerStore writing(
      FileRanks ranks, Container container, ChecksumLevel level, LongSupplier size) {
    TransactionClient transactions = new LocalLeader(container).client();
    return WriteStore.open(
        ranks, new LocalStore(ObjectStore.of(container, level), size, transactions));
  }

  /**
   * Creates the root group of a new container in a transaction of its own, which is on disk when
   * the method returns.
   *
   * @param container the container with all shards, open for writing and not recovered
   * @param level the checksum level
   */
  public static void createRoot(Container container, ChecksumLevel level) {
    TransactionClient transactions = new LocalLeader(container).client();
    Ticket ticket = transactions.startNext();
    try (StoreChanges changes = ObjectStore.of(container, level).change(ticket.number())) {
      var unused =
          ObjectCreator.createRoot(
              changes, CreationLists.file(CreationOrder.UNTRACKED, CreationOrder.UNTRACKED));
      changes.prepare(Durability.BUFFERED);
      transactions.finish(ticket);
      transactions.persist(ticket);
    }
  }

  /**
   * Checks that the root group of a container was created.
   *
   * @param mark the readable mark of the container
   * @param name the location of the container, for the message
   * @throws ContainerException if no transaction is readable, because the creation was interrupted
   */
  public static void requireRoot(long mark, String name) {
    if (mark == 0) {
      throw new ContainerException(
          ContainerException.Reason.INCOMPLETE,
          name,
          "a root group",
          "none, since the creation was interrupted");
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
  public int ownerOf(Place.Tile tile) {
    return 0;
  }

  @Override
  public TransactionClient transactions() {
    return transactions;
  }

  @Override
  public StoreChanges change(Ticket ticket) {
    return store.change(ticket.number());
  }

  @Override
  public Values at(ReadContext context) {
    return store.at(context.transaction());
  }

  @Override
  public Container container() {
    return store.container();
  }

  @Override
  public void close(Optional<StoreChanges> open) {
    try (Container _ = store.container()) {
      open.ifPresent(StoreChanges::close);
    }
  }

  @Override
  public void abandon(Optional<StoreChanges> open, RuntimeException cause) {
    close(open);
  }

  @Override
  public ContainerStore.Readers readers() {
    return ContainerStore.Readers.ALL_THREADS;
  }
}
