package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ValueChanges;
import io.skerry.iod.object.Values;

/** A container that is open for writing. */
final class WriteStore implements ContainerStore {
  private final Backing backing;
  private final NumberedTransactions transactions;

  private WriteStore(Backing backing, NumberedTransactions transactions) {
    this.backing = backing;
    this.transactions = transactions;
  }

  /**
   * Starts the first transaction. Collective, within an operation.
   *
   * @param backing the container, which {@link #close} closes
   * @throws io.skerry.exception.FormatException if a single rank opens the container, and the root
   *     group or an id lease is damaged
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same case, if several ranks
   *     open the container
   */
  static WriteStore open(FileRanks ranks, Backing backing) {
    NumberedTransactions transactions = new NumberedTransactions(ranks, backing);
    transactions.start();
    return new WriteStore(backing, transactions);
  }

  @Override
  public String name() {
    return backing.name();
  }

  @Override
  public long bytes() {
    return backing.bytes();
  }

  @Override
  public Values values() {
    return transactions.values();
  }

  @Override
  public ValueChanges changes() {
    return transactions.changes();
  }

  @Override
  public IdSource ids() {
    return transactions.ids();
  }

  @Override
  public void reserve(long blobs) {
    transactions.ids().reserve(blobs);
  }

  @Override
  public void publish() {
    transactions.publish();
  }

  @Override
  public int ownerOf(Place.Tile tile) {
    return backing.ownerOf(tile);
  }

  @Override
  public void flush(LocalStatus status) {
    transactions.flush(status);
  }

  @Override
  public NumberedTransactions transactions() {
    return transactions;
  }

  @Override
  public long version() {
    return transactions.versions().readable();
  }

  @Override
  public Versions versions() {
    return transactions.versions();
  }

  @Override
  public boolean isConfined() {
    return backing.readers() == Readers.OPENING_THREAD;
  }

  @Override
  public void close() {
    backing.close(transactions.ended());
  }

  @Override
  public void abandon(RuntimeException cause) {
    backing.abandon(transactions.ended(), cause);
  }
}
