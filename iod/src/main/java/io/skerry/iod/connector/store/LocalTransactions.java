package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.transaction.Conflicts;
import io.skerry.iod.transaction.DirectLink;
import io.skerry.iod.transaction.FlushTransactions;
import io.skerry.iod.transaction.Leader;
import io.skerry.iod.transaction.LeaderOptions;
import io.skerry.iod.transaction.Participant;
import io.skerry.iod.transaction.Refusal;
import io.skerry.iod.transaction.Reply;
import io.skerry.iod.transaction.Request;
import io.skerry.iod.transaction.TransactionException;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * The transactions of a container that this process serves alone: leader, participant and the only
 * client are in this process. The client writes to the shards directly, and prepares its changes
 * before it finishes a transaction. Not thread-safe.
 */
final class LocalTransactions {
  private static final int PROCESS = 0;
  private static final int CLIENT = 0;

  private final Queue<Request> requests = new ArrayDeque<>();
  private final FlushTransactions flushes = new FlushTransactions(CLIENT, requests::add);
  private final DirectLink link = new DirectLink(this::received);
  private final Leader leader;

  /**
   * Recovers a container, and starts the first transaction.
   *
   * @param container the container, open for writing with all shards, and not recovered
   * @throws TransactionException if the storage fails
   */
  LocalTransactions(Container container) {
    // A leader of this process forgets its sessions with the container, so any number will do.
    long session = Math.max(1, TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()));
    // No participant can be lost, because messages are delivered by method calls.
    LeaderOptions options = new LeaderOptions(1, 1, Durability.BUFFERED, Long.MAX_VALUE, session);
    this.leader = new Leader(container, options, link);
    Participant participant =
        new Participant(container, Conflicts.UNDEFINED, link.answers(PROCESS));
    link.connect(leader);
    link.connect(PROCESS, participant);
    participant.join();
    link.deliver();
    flushes.start();
    deliver();
    requireOpen();
  }

  private void received(int client, Reply reply) {
    if (client == CLIENT) {
      flushes.received(reply);
    }
  }

  private void deliver() {
    for (Request next = requests.poll(); next != null; next = requests.poll()) {
      leader.receive(next);
      link.deliver();
    }
  }

  private void requireOpen() {
    if (flushes.state() != FlushTransactions.State.OPEN) {
      Optional<Reply.Refused> failure = flushes.failure();
      throw new TransactionException(
          failure.map(Reply.Refused::refusal).orElse(Refusal.LOST),
          failure.map(Reply.Refused::message).orElse("no transaction is open"));
    }
  }

  /** Returns the number of the open transaction. */
  long open() {
    return flushes.ticket().orElseThrow().number();
  }

  /** Returns the newest transaction that a crash cannot lose. */
  long persisted() {
    return leader.persisted();
  }

  /**
   * Finishes and persists the open transaction, whose changes are prepared, and starts the next.
   *
   * @throws TransactionException if the storage fails
   */
  void flush() {
    flushes.flush();
    deliver();
    requireOpen();
  }
}
