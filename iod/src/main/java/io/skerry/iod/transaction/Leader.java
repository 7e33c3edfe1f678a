package io.skerry.iod.transaction;

import io.skerry.iod.engine.Container;
import java.util.Set;
import java.util.TreeSet;

/**
 * The process that counts starts and finishes, hands out read contexts, and advances the marks of a
 * container. It serves shard 0, which stores the persisted mark, and is a participant as well.
 *
 * <p>A leader is driven by messages and by {@link #tick}; no method waits for another process. All
 * methods are local and not thread-safe: only one thread may call them.
 */
public final class Leader {
  private final LeaderOptions options;
  private final Members members;
  private final Numbers numbers;
  private final Contexts contexts;
  private final Waits waits = new Waits();
  private final Outbox outbox;
  private final Progress progress;
  private final Set<Integer> lostClients = new TreeSet<>();

  /**
   * Creates a leader, which opens when all participants have joined.
   *
   * @param container the container, with shard 0; the leader does not recover it and does not close
   *     it
   * @param options the fixed properties
   * @param link sends the messages
   * @throws IllegalStateException if the container was opened without shard 0
   */
  public Leader(Container container, LeaderOptions options, Link link) {
    this.options = options;
    long mark = container.readableMark();
    this.members = new Members(options);
    this.numbers = new Numbers(mark);
    // No context is open yet, so the first recovery purges the versions below the mark.
    this.contexts = new Contexts(mark);
    this.outbox = new Outbox(link, members);
    this.progress = new Progress(container, members, numbers, contexts, waits, outbox);
  }

  /** Returns whether all participants have been recovered, and requests are executed. */
  public boolean isOpen() {
    return members.isOpen();
  }

  /** Returns the number of the current session. */
  public long session() {
    return members.session();
  }

  /** Returns the readable mark: the newest transaction that readers see. */
  public long readable() {
    return numbers.readable();
  }

  /** Returns the persisted mark: the newest transaction that a crash cannot lose. */
  public long persisted() {
    return progress.persisted();
  }

  /** Returns the oldest version that can be read. */
  public long oldest() {
    return contexts.oldest();
  }

  /**
   * Returns the state of a number. The history of a number that was purged, or was in use before
   * this leader was created, is no longer known; the state of such a number is {@link
   * TransactionState#READABLE}, or {@link TransactionState#ABORTED} if this leader has aborted it.
   */
  public TransactionState state(long number) {
    return numbers.state(number);
  }

  /**
   * Notes the loss of a participant: the other participants drop all transactions above the
   * persisted mark, and the requests that wait for those transactions are refused. The container is
   * open again when the process, or one that replaces it, has joined.
   *
   * @param process the number of the participant
   * @param cause the cause of the loss, for error messages
   * @throws IllegalArgumentException if there is no participant with this number
   */
  public void lost(int process, String cause) {
    members.requireMember(process);
    if (!members.hasFailed() && members.joined().contains(process)) {
      members.leave(process, "process " + process + " was lost: " + cause);
      nextSession();
    }
  }

  /**
   * Notes the loss of a client: its contexts are released, and the transactions that cannot be
   * finished without it are aborted.
   */
  public void clientLost(int client) {
    lostClients.add(client);
    contexts.releaseAll(client);
    waits.removeOf(client);
    if (!members.hasFailed()) {
      for (long number : numbers.beyond(lostClients, options.clients())) {
        abort(number, AbortExtent.ONE, Refusal.LOST, "client " + client + " was lost");
      }
      progress.run();
    }
  }

  /**
   * Notes the time, and treats participants that have owed an answer for too long as lost.
   *
   * @param now a time in nanoseconds, such as {@link System#nanoTime}
   * @return the participants that this call has found to be lost
   */
  public Set<Integer> tick(long now) {
    Set<Integer> silent = members.silent(now);
    for (int process : silent) {
      lost(process, "no answer within " + options.patience() + " ns");
    }
    return silent;
  }

  /**
   * Processes an answer of a participant.
   *
   * @throws IllegalArgumentException if there is no participant with this number
   */
  public void receive(int process, Answer answer) {
    members.requireMember(process);
    if (members.hasFailed()) {
      return;
    }
    if (answer instanceof Answer.Join) {
      join(process);
      return;
    }
    if (answer.session() != members.session() || !members.joined().contains(process)) {
      return;
    }
    members.answered(process);
    switch (answer) {
      case Answer.Join _ -> {}
      case Answer.Recovered _ -> members.recovered(process);
      case Answer.Prepared prepared -> numbers.prepared(process, prepared.transaction());
      case Answer.Aborted aborted -> numbers.removed(process, aborted.transaction());
      case Answer.Persisted persisted -> progress.persisted(process, persisted.through());
      case Answer.Unprepared failed -> unprepared(process, failed);
      case Answer.SnapshotPrepared part -> progress.snapshotPrepared(process, part.round());
      case Answer.SnapshotUnprepared failed -> progress.snapshotUnprepared(process, failed);
      case Answer.StorageFailed failed -> lost(process, failed.cause());
    }
    progress.run();
  }

  private void join(int process) {
    // A process that joins again is a replacement, even if the loss of the old one was not noticed.
    lost(process, "another one has joined in its place");
    members.join(process);
    recover(process);
  }

  private void recover(int process) {
    outbox.order(process, new Order.Recover(members.session(), persisted(), contexts.oldest()));
  }

  private void nextSession() {
    members.nextSession(persisted());
    numbers.rollBack(persisted());
    contexts.releaseAll();
    progress.cancel(Refusal.LOST, members.cause());
    members.joined().forEach(this::recover);
  }

  private void unprepared(int process, Answer.Unprepared failed) {
    if (numbers.state(failed.transaction()) == TransactionState.FINISHED) {
      String cause = "process " + process + " could not prepare it: " + failed.cause();
      abort(failed.transaction(), AbortExtent.ONE, Refusal.STORAGE, cause);
    }
  }

  private void abort(long number, AbortExtent extent, Refusal refusal, String cause) {
    for (long each : numbers.abort(number, extent, members.all())) {
      outbox.orderAll(new Order.Abort(members.session(), each));
      outbox.refuse(
          waits.takeOf(each),
          refusal,
          "the transaction was aborted: number=" + each + " cause=" + cause);
    }
  }

  /** Executes a request of a client. */
  public void receive(Request request) {
    try {
      execute(request);
    } catch (TransactionException e) {
      outbox.reply(
          request.client(),
          new Reply.Refused(request.id(), e.refusal(), String.valueOf(e.getMessage())));
    }
    progress.run();
  }

  private void execute(Request request) {
    requireClient(request.client());
    if (!(request instanceof Request.Release)) {
      members.requireOpen();
    }
    switch (request) {
      case Request.Start start ->
          start(start.client(), start.id(), start.number(), start.clients());
      case Request.StartNext start -> start(start.client(), start.id(), numbers.next(), 1);
      case Request.Finish finish -> finish(finish);
      case Request.Abort abort -> {
        long number = checked(abort.ticket());
        abort(number, abort.extent(), Refusal.ABORTED, "a request of client " + abort.client());
        done(abort);
      }
      case Request.Skip skip -> {
        numbers.skip(skip.first(), skip.last());
        done(skip);
      }
      case Request.AwaitReadable wait -> await(wait, wait.ticket(), Waits.Event.READABLE);
      case Request.Persist wait -> await(wait, wait.ticket(), Waits.Event.PERSISTED);
      case Request.Acquire acquire -> {
        long version = contexts.choose(acquire.choice(), acquire.number(), numbers.versions());
        ReadContext context = contexts.acquire(acquire.client(), members.session(), version);
        outbox.reply(acquire.client(), new Reply.Acquired(acquire.id(), context));
      }
      case Request.Release release -> {
        contexts.release(release.context().id());
        done(release);
      }
      case Request.Snapshot snapshot -> progress.snapshot(snapshot);
    }
  }

  private void done(Request request) {
    outbox.reply(request.client(), new Reply.Done(request.id()));
  }

  private void requireClient(int client) {
    if (client < 0 || client >= options.clients() || lostClients.contains(client)) {
      throw new TransactionException(
          lostClients.contains(client) ? Refusal.LOST : Refusal.INVALID,
          "client: expected=0 to "
              + (options.clients() - 1)
              + " and not lost actual="
              + client
              + " lost="
              + lostClients);
    }
  }

  /** Returns the number of a ticket whose transaction was not lost with its session. */
  private long checked(Ticket ticket) {
    if (members.endedWithSession(ticket)) {
      throw new TransactionException(
          Refusal.LOST,
          "the transaction was lost with its session: number="
              + ticket.number()
              + " expected="
              + members.session()
              + " actual="
              + ticket.session()
              + " cause="
              + members.cause());
    }
    return ticket.number();
  }

  private void start(int client, long id, long number, int clients) {
    int living = options.clients() - lostClients.size();
    // A client that was lost after it had finished its part is still counted.
    boolean isFirst = numbers.state(number) == TransactionState.FREE;
    if (number < 1 || clients < 1 || (isFirst && clients > living)) {
      throw new TransactionException(
          clients > living && clients <= options.clients() ? Refusal.LOST : Refusal.INVALID,
          "start of a transaction: expected=number of 1 or more, 1 to "
              + living
              + " clients actual=number "
              + number
              + ", "
              + clients
              + " clients");
    }
    numbers.start(client, number, clients);
    Ticket ticket = new Ticket(members.session(), number);
    outbox.reply(client, new Reply.Started(id, ticket));
  }

  private void finish(Request.Finish finish) {
    long number = checked(finish.ticket());
    if (numbers.finish(finish.client(), number, members.all())) {
      outbox.orderAll(
          new Order.Prepare(members.session(), number, readable(), options.durability()));
    }
    done(finish);
  }

  private void await(Request request, Ticket ticket, Waits.Event event) {
    long number = checked(ticket);
    TransactionState state = numbers.state(number);
    if (state == TransactionState.ABORTED
        || state == TransactionState.FREE
        || state == TransactionState.SKIPPED) {
      throw new TransactionException(
          state == TransactionState.ABORTED ? Refusal.ABORTED : Refusal.STATE,
          "wait for a transaction: number="
              + number
              + " expected=STARTED, FINISHED or READABLE actual="
              + state);
    }
    waits.add(new Waits.Wait(request.client(), request.id(), event, number));
  }
}
