package io.skerry.iod.shipper;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.shipper.wire.Call;
import io.skerry.iod.shipper.wire.Position;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The changes of one transaction in a shard of an I/O rank. Small changes are collected and sent
 * together. A large value is sent from the memory of the caller, and {@link #put} returns when this
 * memory may be reused; the I/O rank may not have stored the value yet. A change that fails is
 * reported by a later method, at the latest by {@link #flush} or {@link #prepare}.
 */
final class RemoteChanges implements Changes {
  private final RemoteContainer container;
  private final int shard;
  private final int rank;
  private final Position at;
  private final Deque<Pending<?>> started = new ArrayDeque<>();
  private Optional<String> ended = Optional.empty();
  private boolean isPrepared;

  RemoteChanges(RemoteContainer container, int shard, int rank, Position at) {
    this.container = container;
    this.shard = shard;
    this.rank = rank;
    this.at = at;
  }

  @Override
  public long transaction() {
    return at.transaction();
  }

  /** Returns the client. Fails if the changes have ended or a change has failed. */
  private ShipperClient open() {
    ShipperClient client = container.client();
    if (ended.isPresent()) {
      throw new IllegalStateException(
          "the changes have ended: transaction="
              + at.transaction()
              + " shard="
              + shard
              + " cause="
              + ended.get());
    }
    while (!started.isEmpty() && started.element().isDone()) {
      check(started.remove());
    }
    return client;
  }

  private void check(Pending<?> pending) {
    try {
      var unused = pending.await();
    } catch (RuntimeException e) {
      ended = Optional.of("a change failed: " + e.getMessage());
      throw e;
    }
  }

  private void checkAll() {
    while (!started.isEmpty()) {
      check(started.remove());
    }
  }

  private void started(Pending<?> pending) {
    if (started.isEmpty() || !started.getLast().equals(pending)) {
      started.add(pending);
    }
  }

  @Override
  public void put(Place place, MemorySegment value) {
    ShipperClient client = open();
    if (client.isSmall(place, Optional.of(value))) {
      started(client.edit(at, shard, place, Optional.of(value)));
      return;
    }
    Pending<Boolean> pending = client.put(at, shard, place, value);
    started(pending);
    client.awaitUntil(pending, pending::isMemoryFree);
  }

  @Override
  public void remove(Place place) {
    ShipperClient client = open();
    started(client.edit(at, shard, place, Optional.empty()));
  }

  @Override
  public void flush() {
    startFlush().run();
  }

  @Override
  public Runnable startFlush() {
    ShipperClient client = open();
    // The I/O rank executes a flush while it still receives the values of puts before it.
    checkAll();
    Pending<Outcome> flushed =
        client.call(
            rank, new Call.Flush(shard, at), MemorySegment.NULL, Outcome::nothing, Pending.HEAP);
    return () -> check(flushed);
  }

  @Override
  public void prepare(Durability durability) {
    ShipperClient client = open();
    // The engine does not know of a change that was damaged in transit, and would prepare the rest.
    checkAll();
    if (at.isDirect()) {
      check(
          client.call(
              rank,
              new Call.Prepare(shard, at.transaction(), durability),
              MemorySegment.NULL,
              Outcome::nothing,
              Pending.HEAP));
    }
    ended = Optional.of("they were prepared");
    isPrepared = true;
  }

  @Override
  public void close() {
    boolean isOpen = !isPrepared && !container.isClosed();
    ended = ended.or(() -> Optional.of("they were closed"));
    if (!isOpen) {
      return;
    }
    isPrepared = true;
    if (at.isDirect()) {
      var unused =
          container
              .client()
              .execute(rank, new Call.Discard(shard, at.transaction()), Outcome::nothing);
    } else {
      container.abortTransaction();
    }
  }
}
