package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.shipper.RemoteTransactions;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.ShipperClient;
import io.skerry.iod.transaction.Ticket;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * A container that I/O ranks serve to all ranks of a file. Rank 0 starts and finishes each
 * transaction, and passes its ticket to the other ranks with an agreement; every rank writes its
 * changes with this ticket.
 */
public final class ShippedStore implements ContainerStore {
  private final FileRanks ranks;
  private final Shipper shipper;
  private final ShipperClient client;
  private final ChecksumLevel level;
  private final LongSupplier size;
  private final TileOwners owners;
  private final Values readable;
  private Optional<Writing> writing = Optional.empty();

  /** The open transaction. */
  private static final class Writing {
    private final SharedIds ids;
    private Ticket ticket;
    private StoreChanges changes;

    Writing(SharedIds ids, Ticket ticket, StoreChanges changes) {
      this.ids = ids;
      this.ticket = ticket;
      this.changes = changes;
    }
  }

  private ShippedStore(
      FileRanks ranks,
      Shipper shipper,
      ChecksumLevel level,
      LongSupplier size,
      TileOwners owners,
      Values readable) {
    this.ranks = ranks;
    this.shipper = shipper;
    this.client = client(shipper);
    this.level = level;
    this.size = size;
    this.owners = owners;
    this.readable = readable;
  }

  private static ShipperClient client(Shipper shipper) {
    return shipper
        .client()
        .orElseThrow(() -> new IllegalStateException("a rank that only serves opens a file"));
  }

  /**
   * Returns the store of a container that is open for reading. Collective, within an operation.
   *
   * @param shipper the shipper with direct access to the engine, which {@link #close} closes
   * @param level the checksums
   * @param size returns the number of bytes that the container occupies
   * @param owners the ranks that own tiles
   * @throws io.skerry.parallel.CollectiveException on all ranks if the storage fails
   */
  public static ShippedStore reading(
      FileRanks ranks, Shipper shipper, ChecksumLevel level, LongSupplier size, TileOwners owners) {
    Container container = client(shipper).container();
    LocalStatus status = new LocalStatus();
    long mark = ranks.isFirst() ? status.attempt(container::readableMark, 0L) : 0;
    long[] agreed = ranks.agree(status, mark);
    Values values = ObjectStore.of(container, level).at(agreed[0]);
    return new ShippedStore(ranks, shipper, level, size, owners, values);
  }

  /**
   * Returns the store of a container that is open for writing, and starts the first transaction.
   * Collective, within an operation.
   *
   * @param shipper the shipper with transactions, which {@link #close} closes
   * @param level the checksums
   * @param size returns the number of bytes that the container occupies
   * @param owners the ranks that own tiles
   * @throws io.skerry.parallel.CollectiveException on all ranks if the root group or an id lease is
   *     damaged, or the storage fails
   */
  public static ShippedStore writing(
      FileRanks ranks, Shipper shipper, ChecksumLevel level, LongSupplier size, TileOwners owners) {
    Values none = ObjectStore.of(client(shipper).container(), level).at(0);
    ShippedStore store = new ShippedStore(ranks, shipper, level, size, owners, none);
    store.start();
    return store;
  }

  private void start() {
    LocalStatus status = new LocalStatus();
    Ticket first = started(status);
    SharedIds ids = new SharedIds(ranks);
    if (ranks.isFirst()) {
      status.attempt(() -> ids.read(changes(first)));
    }
    Ticket ticket = passedOn(status, first);
    writing = Optional.of(new Writing(ids, ticket, changes(ticket)));
  }

  private StoreChanges changes(Ticket ticket) {
    return ObjectStore.of(client.changing(ticket), level).change(ticket.number());
  }

  private RemoteTransactions transactions() {
    return client.transactions();
  }

  /** Starts the next transaction on rank 0. */
  private Ticket started(LocalStatus status) {
    Ticket none = new Ticket(0, 0);
    return ranks.isFirst() ? status.attempt(() -> transactions().startNext(), none) : none;
  }

  /** Passes a ticket of rank 0 to the other ranks, whose sessions and numbers are zero. */
  private Ticket passedOn(LocalStatus status, Ticket ticket) {
    long[] words = ranks.agree(status, ticket.session(), ticket.number());
    return new Ticket(words[0], words[1]);
  }

  @Override
  public String name() {
    return client.location().toString();
  }

  @Override
  public long bytes() {
    return size.getAsLong();
  }

  @Override
  public Values values() {
    return writing.<Values>map(state -> state.changes).orElse(readable);
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

  @Override
  public void reserve(long blobs) {
    writable().ids.reserve(blobs);
  }

  @Override
  public void publish() {
    writing.ifPresent(state -> state.changes.flush());
  }

  @Override
  public int ownerOf(Place.Tile tile) {
    return owners.ownerOf(tile);
  }

  @Override
  public void flush(LocalStatus status) {
    Writing state = writable();
    long[] changed = ranks.agree(status, state.changes.hasChanges() ? 1 : 0);
    if (changed[0] == 0) {
      return;
    }
    status.attempt(() -> {
      if (ranks.isFirst()) {
        state.ids.store(state.changes);
      }
      state.changes.prepare(Durability.BUFFERED);
    });
    // The transaction is finished when all ranks know that their changes have been stored.
    var unused = ranks.agree(status);
    if (ranks.isFirst()) {
      status.attempt(() -> {
        transactions().finish(state.ticket);
        transactions().persist(state.ticket);
        state.ids.readable(state.ticket.number());
      });
    }
    Ticket next = status.isGood() ? started(status) : new Ticket(0, 0);
    state.ticket = passedOn(status, next);
    state.changes = changes(state.ticket);
  }

  /** Leaves the I/O ranks, by which the open transaction is aborted. */
  @Override
  public void close() {
    shipper.close();
  }

  @Override
  public void abandon(RuntimeException cause) {
    shipper.abandon(cause);
  }
}
