package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.shipper.Shipper;
import io.skerry.iod.shipper.ShipperClient;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A container that I/O ranks serve to all ranks of a file. */
public final class ShippedStore implements Backing {
  private final Shipper shipper;
  private final ShipperClient client;
  private final ChecksumLevel level;
  private final LongSupplier size;
  private final TileOwners owners;

  private ShippedStore(Shipper shipper, ChecksumLevel level, LongSupplier size, TileOwners owners) {
    this.shipper = shipper;
    this.client = client(shipper);
    this.level = level;
    this.size = size;
    this.owners = owners;
  }

  private static ShipperClient client(Shipper shipper) {
    return shipper
        .client()
        .orElseThrow(() -> new IllegalStateException("a rank that only serves opens a file"));
  }

  /**
   * Returns the store of a container that is open for reading. Collective, within an operation.
   *
   * @param shipper the shipper with direct access to the engine, which {@link ContainerStore#close}
   *     closes
   * @param level the checksum level
   * @param size returns the number of bytes that the container occupies
   * @param version the version to read
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version, or the
   *     storage fails; the caller closes the shipper
   */
  public static ContainerStore reading(
      FileRanks ranks,
      Shipper shipper,
      ChecksumLevel level,
      LongSupplier size,
      Transactions.Version version) {
    Container container = client(shipper).container();
    return new StoredVersions(container, level, size, ContainerStore.Readers.OPENING_THREAD)
        .open(ranks, version, shipper::close, shipper::abandon);
  }

  /**
   * Returns the store of a container that is open for writing, and starts the first transaction.
   * Collective, within an operation.
   *
   * @param shipper the shipper with transactions, which {@link ContainerStore#close} closes
   * @param level the checksum level
   * @param size returns the number of bytes that the container occupies
   * @param owners the ranks that own tiles
   * @throws io.skerry.parallel.CollectiveException on all ranks if the root group or an id lease is
   *     damaged, or the storage fails
   */
  public static ContainerStore writing(
      FileRanks ranks, Shipper shipper, ChecksumLevel level, LongSupplier size, TileOwners owners) {
    return WriteStore.open(ranks, new ShippedStore(shipper, level, size, owners));
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
  public int ownerOf(Place.Tile tile) {
    return owners.ownerOf(tile);
  }

  @Override
  public TransactionClient transactions() {
    return client.transactions();
  }

  @Override
  public StoreChanges change(Ticket ticket) {
    return ObjectStore.of(client.changing(ticket), level).change(ticket.number());
  }

  @Override
  public Values at(ReadContext context) {
    return ObjectStore.of(client.at(context), level).at(context.transaction());
  }

  @Override
  public Container container() {
    return client.container();
  }

  /** Leaves the I/O ranks, which aborts the open transaction. */
  @Override
  public void close(Optional<StoreChanges> open) {
    shipper.close();
  }

  @Override
  public void abandon(Optional<StoreChanges> open, RuntimeException cause) {
    shipper.abandon(cause);
  }

  @Override
  public ContainerStore.Readers readers() {
    return ContainerStore.Readers.OPENING_THREAD;
  }
}
