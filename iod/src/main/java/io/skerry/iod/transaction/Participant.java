package io.skerry.iod.transaction;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.ClosedTogether;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import java.lang.foreign.MemorySegment;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The role of an I/O process in transactions: it accepts the changes of clients for the shards that
 * it serves, and executes the orders of the leader on these shards.
 *
 * <p>All methods are local, and none waits for another process. One thread at a time calls {@link
 * #join}, {@link #leaderLost}, {@link #receive} and {@link #purgePart}, and passes the answers to
 * the leader through a consumer. The other methods are thread-safe, and do not wait for an order
 * that is being executed.
 */
public final class Participant {
  private final Container container;
  private final Conflicts conflicts;
  private final Consumer<Answer> leader;
  private final Set<Integer> served;
  private final NavigableMap<Long, Work> open = new TreeMap<>();
  private final NavigableSet<Long> ended = new TreeSet<>();

  /** The shards that this process has recovered; the recovery of others may have failed. */
  private final Set<Integer> recovered = new TreeSet<>();

  private volatile long session;
  private long readable;

  /**
   * Creates the participant of a process.
   *
   * @param container the container, open for writing and not recovered; it is not closed
   * @param conflicts the treatment of places that several clients change in one transaction
   * @param leader sends an answer to the leader
   */
  public Participant(Container container, Conflicts conflicts, Consumer<Answer> leader) {
    this.container = container;
    this.conflicts = conflicts;
    this.leader = leader;
    this.served = new TreeSet<>(container.served());
  }

  /** The changes of a transaction that accepts further changes. */
  private record Work(Map<Integer, Changes> changes, Map<Place, Integer> writers) {
    void prepare(Durability durability) {
      changes.values().forEach(each -> each.prepare(durability));
    }
  }

  /** Requests a session from the leader. Called once the leader can be reached. */
  public void join() {
    leader.accept(new Answer.Join());
  }

  /**
   * Notes the loss of the leader: requests a new session, and refuses changes and reads until a new
   * leader has accepted this process.
   */
  public void leaderLost() {
    session = 0;
    join();
  }

  /** Returns the number of the session; 0 if there is none. */
  public long session() {
    return session;
  }

  /**
   * Stores a value at a place in a shard.
   *
   * @param ticket the transaction
   * @param client the number of the client
   * @param shard the number of the shard
   * @param value the value, which the method copies before it returns
   * @throws TransactionException if the transaction has ended, or if another client has changed the
   *     place and such conflicts are refused
   * @throws io.skerry.iod.engine.EngineException if the storage fails; the client must abort
   * @throws IllegalArgumentException if this process does not serve the shard
   */
  public void put(Ticket ticket, int client, int shard, Place place, MemorySegment value) {
    change(ticket, client, shard, place, changes -> changes.put(place, value));
  }

  /**
   * Removes the value at a place in a shard.
   *
   * @param ticket the transaction
   * @param client the number of the client
   * @param shard the number of the shard
   * @throws TransactionException if the transaction has ended, or if another client has changed the
   *     place and such conflicts are refused
   * @throws io.skerry.iod.engine.EngineException if the storage fails; the client must abort
   * @throws IllegalArgumentException if this process does not serve the shard
   */
  public void remove(Ticket ticket, int client, int shard, Place place) {
    change(ticket, client, shard, place, changes -> changes.remove(place));
  }

  /**
   * Makes the changes of a transaction in a shard visible to reads at this transaction. Has no
   * effect if there are none.
   *
   * @param ticket the transaction
   * @param shard the number of the shard
   * @throws TransactionException if the transaction has ended
   * @throws io.skerry.iod.engine.EngineException if the storage fails; the client must abort
   */
  public void flush(Ticket ticket, int shard) {
    Optional<Changes> changes = growing(ticket, shard);
    try {
      changes.ifPresent(Changes::flush);
    } catch (IllegalStateException e) {
      requireGrowing(ticket);
      throw e;
    }
  }

  private synchronized Optional<Changes> growing(Ticket ticket, int shard) {
    requireGrowing(ticket);
    return Optional.ofNullable(open.get(ticket.number()))
        .flatMap(work -> Optional.ofNullable(work.changes().get(shard)));
  }

  private void change(Ticket ticket, int client, int shard, Place place, Consumer<Changes> change) {
    Changes changes = changes(ticket, client, shard, place);
    try {
      change.accept(changes);
    } catch (IllegalStateException e) {
      requireGrowing(ticket);
      throw e;
    }
  }

  private synchronized Changes changes(Ticket ticket, int client, int shard, Place place) {
    requireGrowing(ticket);
    Shard storage = container.shard(shard);
    Work work =
        open.computeIfAbsent(ticket.number(), _ -> new Work(new TreeMap<>(), new TreeMap<>()));
    if (conflicts == Conflicts.REFUSED) {
      int first = work.writers.computeIfAbsent(place, _ -> client);
      if (first != client) {
        throw new TransactionException(
            Refusal.WRITTEN_TWICE,
            "two clients change a place in one transaction: number="
                + ticket.number()
                + " place="
                + place
                + " first="
                + first
                + " second="
                + client);
      }
    }
    return work.changes.computeIfAbsent(shard, _ -> storage.change(ticket.number()));
  }

  private synchronized void requireGrowing(Ticket ticket) {
    long number = ticket.number();
    if (session == 0 || ticket.session() != session) {
      throw new TransactionException(
          Refusal.LOST,
          "change of an earlier session: number="
              + number
              + " expected="
              + session
              + " actual="
              + ticket.session());
    }
    if (number <= readable || ended.contains(number)) {
      throw new TransactionException(
          Refusal.STATE,
          "the transaction accepts no more changes: number="
              + number
              + " expected=above "
              + readable
              + " and not one of "
              + ended);
    }
  }

  /**
   * Reads from a shard.
   *
   * @param context the read context
   * @param shard the number of the shard
   * @param reading reads at the transaction of the context
   * @return the result of {@code reading}
   * @throws TransactionException if the context is from an earlier session
   * @throws io.skerry.iod.engine.PurgedException if the version was purged after the release of the
   *     context
   * @throws IllegalArgumentException if this process does not serve the shard
   */
  public <T> T read(ReadContext context, int shard, Function<Shard, T> reading) {
    requireReadable(context);
    Shard storage = container.shard(shard);
    T result;
    try {
      result = reading.apply(storage);
    } catch (RuntimeException e) {
      // If a rollback has occurred in the meantime, it is the better explanation of the failure.
      requireReadable(context);
      throw e;
    }
    // A rollback in the meantime may have removed the data that was read.
    requireReadable(context);
    return result;
  }

  private void requireReadable(ReadContext context) {
    if (session == 0 || context.session() != session) {
      throw new TransactionException(
          Refusal.LOST,
          "the read context has ended with its session: transaction="
              + context.transaction()
              + " expected="
              + session
              + " actual="
              + context.session());
    }
  }

  /** Executes an order of the leader. Failures of the storage are reported to the leader. */
  public void receive(Order order) {
    if (order instanceof Order.Recover recover) {
      guarded(recover.session(), () -> recover(recover));
    } else if (session != 0 && order.session() == session) {
      guarded(session, () -> execute(order));
    }
  }

  /**
   * Executes a part of a purge order, as an alternative to {@link #receive}. Failures of the
   * storage are reported to the leader.
   *
   * @return true if the order is complete or belongs to an earlier session; false if the method
   *     must be called again
   */
  public boolean purgePart(Order.Purge order) {
    long current = session;
    boolean[] isComplete = {true};
    if (current != 0 && order.session() == current) {
      guarded(
          current,
          () ->
              isComplete[0] =
                  served.stream()
                      .allMatch(number -> container.shard(number).purgePart(order.oldest())));
    }
    return isComplete[0];
  }

  private void guarded(long current, Runnable action) {
    try {
      action.run();
    } catch (RuntimeException e) {
      // Every failure is reported, because the leader would otherwise wait for an answer.
      session = 0;
      leader.accept(new Answer.StorageFailed(current, String.valueOf(e.getMessage())));
    }
  }

  private void recover(Order.Recover recover) {
    session = 0;
    discardOpen();
    for (int number : served) {
      Shard shard = container.shard(number);
      if (recovered.contains(number)) {
        rollBack(shard, recover.mark());
      } else {
        shard.recover(recover.mark());
        recovered.add(number);
      }
      // A purge of this version may have been interrupted.
      if (recover.oldest() >= shard.oldest()) {
        shard.purge(recover.oldest());
      }
    }
    begin(recover);
    leader.accept(new Answer.Recovered(session));
  }

  private synchronized void begin(Order.Recover recover) {
    ended.clear();
    readable = recover.mark();
    session = recover.session();
  }

  private synchronized void discardOpen() {
    ClosedTogether parts = new ClosedTogether();
    for (Work work : open.values()) {
      work.changes.values().forEach(changes -> parts.run(changes::close));
    }
    open.clear();
    parts.throwFailure();
  }

  private static void rollBack(Shard shard, long mark) {
    for (long transaction : shard.transactions()) {
      if (transaction > mark) {
        shard.abort(transaction);
      }
    }
  }

  private void execute(Order order) {
    switch (order) {
      case Order.Recover _ -> {}
      case Order.Prepare prepare -> prepare(prepare);
      case Order.Abort abort -> {
        abort(abort.transaction());
        leader.accept(new Answer.Aborted(session, abort.transaction()));
      }
      case Order.Persist persist -> {
        persist();
        leader.accept(new Answer.Persisted(session, persist.through()));
      }
      case Order.Purge purge ->
          served.forEach(number -> container.shard(number).purge(purge.oldest()));
      case Order.Snapshot snapshot -> snapshot(snapshot);
    }
  }

  /** Makes prepared changes durable in the shards for which storing the readable mark does not. */
  private void persist() {
    for (int number : served) {
      if (!container.isPersistedByMark(number)) {
        container.shard(number).persist();
      }
    }
  }

  /**
   * Stops accepting changes to a transaction and to all transactions up to the readable mark.
   *
   * @return the changes of the transaction; empty if there are none
   */
  private synchronized Optional<Work> end(long transaction, long mark) {
    ended.add(transaction);
    readable = Math.max(readable, mark);
    ended.headSet(readable, true).clear();
    return Optional.ofNullable(open.remove(transaction));
  }

  private void abort(long transaction) {
    Optional<Work> unused = end(transaction, 0);
    // The engine also ends changes that are still open.
    served.forEach(number -> container.shard(number).abort(transaction));
  }

  private void prepare(Order.Prepare prepare) {
    long transaction = prepare.transaction();
    Optional<Work> work = end(transaction, prepare.readable());
    try {
      work.ifPresent(ended -> ended.prepare(prepare.durability()));
    } catch (RuntimeException e) {
      // The leader aborts the transaction everywhere, including the shards that have prepared it.
      leader.accept(new Answer.Unprepared(session, transaction, String.valueOf(e.getMessage())));
      return;
    }
    leader.accept(new Answer.Prepared(session, transaction));
  }

  private void snapshot(Order.Snapshot snapshot) {
    try {
      container.snapshots().prepare(snapshot.name(), snapshot.transaction());
    } catch (RuntimeException e) {
      // A snapshot changes no transaction, so its failure need not end the session.
      leader.accept(
          new Answer.SnapshotUnprepared(session, snapshot.round(), String.valueOf(e.getMessage())));
      return;
    }
    leader.accept(new Answer.SnapshotPrepared(session, snapshot.round()));
  }
}
