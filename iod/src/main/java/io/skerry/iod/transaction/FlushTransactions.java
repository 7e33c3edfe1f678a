package io.skerry.iod.transaction;

import java.util.Optional;
import java.util.function.Consumer;

/**
 * The transactions of a program that only flushes: one is always open, and a flush finishes and
 * persists it and starts the next. One client of a container uses this class, in leader mode, and
 * passes the ticket to the others before they write.
 *
 * <p>All methods are local and not thread-safe. None waits: the caller passes the replies of the
 * leader on.
 */
public final class FlushTransactions {
  /** The state of the current transaction. */
  public enum State {
    /** The leader has not started the transaction yet. */
    STARTING,
    /** The transaction accepts changes. */
    OPEN,
    /** The transaction is being finished and persisted. */
    FLUSHING,
    /** The last transaction was refused or aborted; its changes are lost. */
    FAILED
  }

  private final int client;
  private final Consumer<Request> leader;
  private State state = State.FAILED;
  private long awaited;
  private long persisted;
  private Optional<Ticket> ticket = Optional.empty();
  private Optional<Reply.Refused> failure = Optional.empty();

  /**
   * Creates the transactions of a client; {@link #start} starts the first one.
   *
   * @param client the number of the client
   * @param leader sends a request to the leader
   */
  public FlushTransactions(int client, Consumer<Request> leader) {
    this.client = client;
    this.leader = leader;
  }

  /** Returns the state. */
  public State state() {
    return state;
  }

  /** Returns the open transaction; empty in other states than {@link State#OPEN}. */
  public Optional<Ticket> ticket() {
    return state == State.OPEN ? ticket : Optional.empty();
  }

  /** Returns the newest transaction that a flush has persisted; 0 if there is none. */
  public long persisted() {
    return persisted;
  }

  /** Returns why the last transaction failed; empty in other states than {@link State#FAILED}. */
  public Optional<Reply.Refused> failure() {
    return failure;
  }

  /**
   * Starts a transaction, the first one or one after a failure.
   *
   * @throws IllegalStateException if one is open or being flushed
   */
  public void start() {
    require(State.FAILED);
    startNext();
  }

  private void startNext() {
    state = State.STARTING;
    failure = Optional.empty();
    awaited = Math.addExact(awaited, 1);
    leader.accept(new Request.StartNext(client, awaited));
  }

  /**
   * Finishes and persists the open transaction. All its changes must have been acknowledged. When
   * the state is {@link State#OPEN} again, they are durable.
   *
   * @throws IllegalStateException if no transaction is open
   */
  public void flush() {
    require(State.OPEN);
    state = State.FLUSHING;
    Ticket open = ticket.orElseThrow();
    long finish = Math.addExact(awaited, 1);
    awaited = Math.addExact(finish, 1);
    leader.accept(new Request.Finish(client, finish, open));
    // If the finish is refused, so is this request, and its reply has the reason.
    leader.accept(new Request.Persist(client, awaited, open));
  }

  private void require(State expected) {
    if (state != expected) {
      throw new IllegalStateException(
          "transaction of a flush: expected=" + expected + " actual=" + state);
    }
  }

  /** Notes a reply of the leader. Replies to requests of other objects are ignored. */
  public void received(Reply reply) {
    if (reply.id() != awaited) {
      return;
    }
    switch (reply) {
      case Reply.Started started when state == State.STARTING -> {
        ticket = Optional.of(started.ticket());
        state = State.OPEN;
      }
      case Reply.Done _ when state == State.FLUSHING -> {
        persisted = ticket.orElseThrow().number();
        startNext();
      }
      case Reply.Refused refused -> {
        failure = Optional.of(refused);
        state = State.FAILED;
      }
      default -> {}
    }
  }
}
