package io.skerry.iod.transaction;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.Snapshots;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The steps that follow when a transaction has become readable: replies, the persisted mark,
 * snapshots and purge. Not thread-safe.
 */
final class Progress {
  private final Container container;
  private final Members members;
  private final Numbers numbers;
  private final Contexts contexts;
  private final Waits waits;
  private final Outbox outbox;
  private final PersistRound persist;
  private final SnapshotRounds snapshots = new SnapshotRounds();

  Progress(
      Container container,
      Members members,
      Numbers numbers,
      Contexts contexts,
      Waits waits,
      Outbox outbox) {
    this.container = container;
    this.members = members;
    this.numbers = numbers;
    this.contexts = contexts;
    this.waits = waits;
    this.outbox = outbox;
    this.persist = new PersistRound(numbers.readable());
  }

  /** Returns the persisted mark. */
  long persisted() {
    return persist.persisted();
  }

  /** Performs the steps that an answer or a request has made possible. */
  void run() {
    if (!members.isOpen()) {
      return;
    }
    numbers.advance();
    long readable = numbers.readable();
    outbox.done(waits.takeThrough(Waits.Event.READABLE, readable));
    boolean advanced = true;
    while (advanced && members.isOpen()) {
      outbox.done(waits.takeThrough(Waits.Event.PERSISTED, persisted()));
      beginSnapshots();
      advanced = persist();
    }
    purge();
  }

  /**
   * Begins or ends a round that advances the persisted mark. Returns whether the mark has advanced.
   */
  private boolean persist() {
    long readable = numbers.readable();
    boolean needed = waits.needsPersist(readable) || snapshots.hasWaiting();
    if (!persist.isActive() && needed) {
      // A sync is needed even if changes are prepared with one: removals by an abort are not
      // synced.
      persist.begin(readable, members.all());
      outbox.orderAll(new Order.Persist(members.session(), readable));
    }
    return persist.isComplete() && advanceMark();
  }

  private boolean advanceMark() {
    try {
      if (!container.advance(persist.persisted(), persist.through())) {
        fail(
            "another process has changed the readable mark: expected="
                + persisted()
                + " actual="
                + container.readableMark());
        return false;
      }
    } catch (EngineException e) {
      // The mark on disk is either the old or the new one; the next leader reads it.
      fail("the storage failed while the readable mark was written: " + e.getMessage());
      return false;
    }
    persist.end();
    return true;
  }

  private void fail(String cause) {
    members.fail(cause);
    cancel(Refusal.STORAGE, cause);
  }

  /** Notes that a process has made its changes durable. */
  void persisted(int process, long through) {
    persist.answered(process, through);
  }

  /** Refuses all waiting requests, because a process or the storage was lost. */
  void cancel(Refusal refusal, String cause) {
    persist.cancel();
    for (SnapshotRounds.Round round : snapshots.takeAll()) {
      refuse(round, refusal, cause);
    }
    outbox.refuse(waits.takeAll(), refusal, cause);
  }

  private void purge() {
    Optional<Long> oldest = contexts.purge(persisted());
    if (oldest.isPresent()) {
      numbers.purge(oldest.get());
      outbox.notifyAll(new Order.Purge(members.session(), oldest.get()));
    }
  }

  /** Executes a snapshot request. */
  void snapshot(Request.Snapshot snapshot) {
    String name = snapshot.name();
    if (!Snapshots.NAME.matcher(name).matches()) {
      throw new TransactionException(
          Refusal.INVALID, "name of a snapshot: expected=" + Snapshots.NAME + " actual=" + name);
    }
    if (snapshots.contains(name) || container.snapshots().names().contains(name)) {
      throw new TransactionException(
          Refusal.EXISTS, "name of a snapshot: expected=a new name actual=" + name);
    }
    ReadContext context =
        contexts.acquire(snapshot.client(), members.session(), numbers.readable());
    snapshots.add(snapshot.client(), snapshot.id(), name, context);
  }

  private void beginSnapshots() {
    for (SnapshotRounds.Round round : snapshots.begin(persisted(), members.all())) {
      long transaction = round.context().transaction();
      outbox.orderAll(
          new Order.Snapshot(members.session(), round.number(), round.name(), transaction));
    }
  }

  /** Notes that a process has stored its part of a snapshot. */
  void snapshotPrepared(int process, long round) {
    snapshots.prepared(process, round).ifPresent(this::complete);
  }

  /** Notes that a process could not store its part of a snapshot. */
  void snapshotUnprepared(int process, Answer.SnapshotUnprepared failed) {
    snapshots
        .take(failed.round())
        .ifPresent(
            round -> refuse(round, Refusal.STORAGE, "process " + process + ": " + failed.cause()));
  }

  private void complete(SnapshotRounds.Round round) {
    long transaction = round.context().transaction();
    try {
      container.snapshots().complete(round.name(), transaction);
    } catch (RuntimeException e) {
      refuse(round, Refusal.STORAGE, String.valueOf(e.getMessage()));
      return;
    }
    contexts.release(round.context().id());
    outbox.reply(round.client(), new Reply.SnapshotTaken(round.id(), transaction));
  }

  private void refuse(SnapshotRounds.Round round, Refusal refusal, String cause) {
    contexts.release(round.context().id());
    String message = "the snapshot failed: name=" + round.name() + " cause=" + cause;
    outbox.reply(round.client(), new Reply.Refused(round.id(), refusal, message));
  }

  /** The persisted mark, and the round of messages that advances it. */
  private static final class PersistRound {
    private final Set<Integer> awaited = new TreeSet<>();
    private boolean isActive;
    private long persisted;
    private long through;

    PersistRound(long persisted) {
      this.persisted = persisted;
      this.through = persisted;
    }

    /** Returns the newest transaction that no crash can lose. */
    long persisted() {
      return persisted;
    }

    boolean isActive() {
      return isActive;
    }

    long through() {
      return through;
    }

    void begin(long to, Set<Integer> processes) {
      through = to;
      isActive = true;
      awaited.clear();
      awaited.addAll(processes);
    }

    /** Notes that a process has made its changes durable. */
    void answered(int process, long to) {
      if (to == through) {
        awaited.remove(process);
      }
    }

    /** Returns whether all processes have made their changes durable. */
    boolean isComplete() {
      return isActive && awaited.isEmpty();
    }

    void end() {
      persisted = through;
      isActive = false;
    }

    void cancel() {
      isActive = false;
      awaited.clear();
    }
  }
}
