package io.skerry.iod.rados;

import io.skerry.iod.engine.shard.AbstractShard;
import io.skerry.iod.rados.library.Pool;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A shard whose values are objects of a pool. */
final class RadosShard extends AbstractShard<RadosChanges> {
  private final ShardStore store;
  private final Optional<Lease> lease;
  private final RadosChanges.ValueLimits limits;
  private final ShardVerifier.Listing listing;
  private final VersionReader reader;
  private final Removal removal;

  RadosShard(
      int number,
      ShardStore store,
      Optional<Lease> lease,
      RadosChanges.ValueLimits limits,
      ShardVerifier.Listing listing) {
    super(number, store.faults().container(), store.number(ShardNames.OLDEST));
    this.store = store;
    this.lease = lease;
    this.limits = limits;
    this.listing = listing;
    this.reader = new VersionReader(store);
    this.removal = new Removal(store, reader);
  }

  ShardStore store() {
    return store;
  }

  Removal removal() {
    return removal;
  }

  /** Renews the lease, unless the shard is closed. */
  void renew() {
    lease.ifPresent(held -> {
      try {
        int unused =
            store.call(pool -> {
              held.renew(pool);
              return 0;
            });
      } catch (IllegalStateException e) {
        // The shard has been closed, and with it the lease.
        return;
      }
    });
  }

  /** Makes all later changes preserve snapshots. */
  void keep(Pool pool) {
    store.replace(pool);
  }

  @Override
  public void requireWriting() {
    store.requireWriting();
  }

  @Override
  public long mark() {
    return store.number(ShardNames.MARK);
  }

  @Override
  protected boolean hasChanges(long transaction) {
    byte[] prefix = OmapKeys.changes(transaction);
    return !store
        .call(pool -> pool.pairs(store.names().head(), new byte[0], prefix, 1))
        .pairs()
        .isEmpty();
  }

  @Override
  protected RadosChanges begin(long transaction) {
    return new RadosChanges(this, store, transaction, limits);
  }

  @Override
  protected void drop(long first, long last) {
    removal.drop(first, last);
  }

  @Override
  protected boolean removeHidden(long transaction) {
    removal.purge(transaction);
    return true;
  }

  @Override
  protected VersionReads reads() {
    return reader;
  }

  /** Reads the argument of the last purge by the opener that writes, unless that is this one. */
  @Override
  protected long currentOldest(long known) {
    return !store.isWriting() && listing == ShardVerifier.Listing.WHOLE_POOL
        ? store.number(ShardNames.OLDEST)
        : known;
  }

  @Override
  public void persist() {
    requireRecovered();
    // All that the cluster has confirmed is durable, but a call on a closed shard must fail.
    int unused = store.call(_ -> 0);
  }

  @Override
  public List<Long> transactions() {
    List<Long> found = new ArrayList<>();
    OmapCursor lists = new OmapCursor(store, store.names().head(), OmapKeys.CHANGES);
    boolean valid = lists.first();
    while (valid) {
      byte[] key = lists.key();
      long transaction = store.checked(() -> OmapKeys.transactionOfChanges(key));
      found.add(transaction);
      // Skips the other chunks of the list; no chunk has the greatest number.
      valid = lists.seek(OmapKeys.changes(transaction, -1));
    }
    return found;
  }

  @Override
  public void verify(Consumer<String> findings) {
    new ShardVerifier(store, reader, findings).run(oldest(), listing);
  }

  @Override
  protected void closeStore() {
    store.close();
  }
}
