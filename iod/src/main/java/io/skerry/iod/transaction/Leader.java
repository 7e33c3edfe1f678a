package io.skerry.iod.transaction;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineException;
import io.skerry.iod.engine.Snapshots;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The process that counts starts and finishes, hands out read contexts, and advances the marks of a
 * container. It serves shard 0, which stores the persisted mark, and is a participant as well.
 *
 * <p>A leader is driven by messages and by {@link #tick}; no method waits for another process. All
 * methods are local and not thread-safe: one thread calls them.
 */
public final class Leader {
  private final Container container;
  private final LeaderOptions options;
  private final Link link;
  private final Members members;
  private final Numbers numbers;
  private final Contexts contexts;
  private final PersistRound persist;
  private final SnapshotRounds snapshots = new SnapshotRounds();
  private final Waits waits = new Waits();
  private final Set<Integer> lostClients = new TreeSet<>();

  /**
   * Creates a leader, which is open when all participants have joined.
   *
   * @param container the container, with shard 0; the leader does not recover it and does not close
   *     it
   * @param options the fixed properties
   * @param link sends the messages
   * @throws IllegalStateException if the container was opened without shard 0
   */
  public Leader(Container container, LeaderOptions options, Link link) {
    this.container = container;
    this.options = options;
    this.link = link;
    long mark = container.readableMark();
    this.members = new Members(options);
    this.numbers = new Numbers(mark);
    // No context can be open, so the versions below the mark are purged with the first recovery.
    this.contexts = new Contexts(mark);
    this.persist = new PersistRound(mark);
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
    return persist.persisted();
  }

  /** Returns the oldest version that can be read. */
  public long oldest() {
    return contexts.oldest();
  }

  /**
   * Returns the state of a number. For a number that was purged or was in use before this leader
   * was created, the history is forgotten, and the state is {@link TransactionState#READABLE}.
   */
  public TransactionState state(long number) {
    return numbers.state(number);
  }

  /**
   * Notes the loss of a participant: all transactions above the persisted mark are dropped by the
   * other participants, and the requests that wait for them are refused. The container is open
   * again when the process, or one that replaces it, has joined.
   *
   * @param process the number of the participant
   * @param cause what is known about the loss, for messages
   * @throws IllegalArgumentException if there is no participant of the number
   */
  public void lost(int process, String cause) {
    members.requireMember(process);
    if (!members.hasFailed() && members.joined().contains(process)) {
      members.leave(process, "process " + process + " was lost: " + cause);
      nextSession();
    }
  }

  /**
   * Notes the loss of a client: its contexts are released, and the transactions are aborted that
   * cannot be finished without it.
   */
  public void clientLost(int client) {
    lostClients.add(client);
    contexts.releaseAll(client);
    List<Waits.Wait> unused = waits.take(wait -> wait.client() == client);
    if (!members.hasFailed()) {
      for (long number : numbers.beyond(lostClients, options.clients())) {
        abort(number, AbortExtent.ONE, Refusal.LOST, "client " + client + " was lost");
      }
      progress();
    }
  }

  /**
   * Notes the time, and counts participants as lost that have owed an answer for too long.
   *
   * @param now a time in nanoseconds, such as {@link System#nanoTime}
   */
  public void tick(long now) {
    for (int process : members.silent(now)) {
      lost(process, "no answer within " + options.patience() + " ns");
    }
  }

  /**
   * Executes an answer of a participant.
   *
   * @throws IllegalArgumentException if there is no participant of the number
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
      case Answer.Persisted persisted -> persist.answered(process, persisted.through());
      case Answer.Unprepared failed -> unprepared(process, failed);
      case Answer.SnapshotPrepared part ->
          snapshots.prepared(process, part.name()).ifPresent(this::complete);
      case Answer.SnapshotUnprepared failed ->
          snapshots
              .take(failed.name())
              .ifPresent(round ->
                  end(round, Refusal.STORAGE, "process " + process + ": " + failed.cause()));
      case Answer.Broken broken -> lost(process, broken.cause());
    }
    progress();
  }

  private void join(int process) {
    // A process that joins again has been replaced, even if its loss was not noticed.
    lost(process, "another one has joined in its place");
    members.join(process);
    recover(process);
  }

  private void recover(int process) {
    order(process, new Order.Recover(members.session(), persisted(), contexts.oldest()));
  }

  private void order(int process, Order order) {
    members.owes(process);
    link.send(process, order);
  }

  private void orderAll(Order order) {
    members.all().forEach(process -> order(process, order));
  }

  private void nextSession() {
    members.nextSession();
    numbers.rollBack(persisted());
    contexts.rollBack(persisted());
    persist.cancel();
    for (SnapshotRounds.Round round : snapshots.takeAll()) {
      end(round, Refusal.LOST, members.cause());
    }
    refuse(waits.take(_ -> true), Refusal.LOST, members.cause());
    members.joined().forEach(this::recover);
  }

  private void fail(String cause) {
    members.fail(cause);
    for (SnapshotRounds.Round round : snapshots.takeAll()) {
      end(round, Refusal.STORAGE, cause);
    }
    refuse(waits.take(_ -> true), Refusal.STORAGE, cause);
  }

  private void unprepared(int process, Answer.Unprepared failed) {
    if (numbers.state(failed.transaction()) == TransactionState.FINISHED) {
      String cause = "process " + process + " could not prepare it: " + failed.cause();
      abort(failed.transaction(), AbortExtent.ONE, Refusal.STORAGE, cause);
    }
  }

  private void abort(long number, AbortExtent extent, Refusal refusal, String cause) {
    for (long each : numbers.abort(number, extent, members.all())) {
      orderAll(new Order.Abort(members.session(), each));
      refuse(
          waits.take(wait -> wait.number() == each),
          refusal,
          "the transaction was aborted: number=" + each + " cause=" + cause);
    }
  }

  private void refuse(List<Waits.Wait> ended, Refusal refusal, String message) {
    for (Waits.Wait wait : ended) {
      link.reply(wait.client(), new Reply.Refused(wait.id(), refusal, message));
    }
  }

  /** Does what an answer or a request has made possible. */
  private void progress() {
    if (!members.isOpen()) {
      return;
    }
    numbers.advance();
    done(waits.take(w -> w.event() == Waits.Event.READABLE && w.number() <= readable()));
    boolean advanced = true;
    while (advanced && members.isOpen()) {
      done(waits.take(wait -> wait.number() <= persisted()));
      beginSnapshots();
      advanced = persist();
    }
    purge();
  }

  private void done(List<Waits.Wait> ended) {
    ended.forEach(wait -> link.reply(wait.client(), new Reply.Done(wait.id())));
  }

  /** Begins or ends a round. Returns whether the persisted mark has advanced. */
  private boolean persist() {
    boolean needed = waits.needsPersist(readable()) || !snapshots.isEmpty();
    if (!persist.isActive() && needed) {
      // Needed even if changes are prepared with a sync: removals by an abort are not synced.
      persist.begin(readable(), members.all());
      orderAll(new Order.Persist(members.session(), readable()));
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
      // The mark on disk is the old one or the new one. The next leader reads it.
      fail("the storage failed while the readable mark was written: " + e.getMessage());
      return false;
    }
    persist.end();
    return true;
  }

  private void purge() {
    Optional<Long> oldest = contexts.purge(persisted());
    if (oldest.isPresent()) {
      numbers.purge(oldest.get());
      Order order = new Order.Purge(members.session(), oldest.get());
      members.all().forEach(process -> link.send(process, order));
    }
  }

  private void beginSnapshots() {
    for (SnapshotRounds.Round round : snapshots.begin(persisted(), members.all())) {
      orderAll(
          new Order.Snapshot(members.session(), round.name(), round.context().transaction()));
    }
  }

  private void complete(SnapshotRounds.Round round) {
    long transaction = round.context().transaction();
    try {
      container.snapshots().complete(round.name(), transaction);
    } catch (RuntimeException e) {
      end(round, Refusal.STORAGE, String.valueOf(e.getMessage()));
      return;
    }
    contexts.release(round.context().id());
    link.reply(round.client(), new Reply.SnapshotTaken(round.id(), transaction));
  }

  private void end(SnapshotRounds.Round round, Refusal refusal, String cause) {
    contexts.release(round.context().id());
    link.reply(
        round.client(),
        new Reply.Refused(
            round.id(), refusal, "the snapshot failed: name=" + round.name() + " cause=" + cause));
  }

  /** Executes a request of a client. */
  public void receive(Request request) {
    try {
      execute(request);
    } catch (TransactionException e) {
      link.reply(
          request.client(),
          new Reply.Refused(request.id(), e.refusal(), String.valueOf(e.getMessage())));
    }
    progress();
  }

  private void execute(Request request) {
    requireClient(request.client());
    if (!(request instanceof Request.Release)) {
      members.requireOpen();
    }
    switch (request) {
      case Request.Start start -> start(start.client(), start.id(), start.number(), start.clients());
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
        link.reply(acquire.client(), new Reply.Acquired(acquire.id(), context));
      }
      case Request.Release release -> {
        contexts.release(release.context().id());
        done(release);
      }
      case Request.Snapshot snapshot -> snapshot(snapshot);
    }
  }

  private void done(Request request) {
    link.reply(request.client(), new Reply.Done(request.id()));
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

  /** Returns the number of a ticket of this session, or of a transaction that is persisted. */
  private long checked(Ticket ticket) {
    if (ticket.session() != members.session() && ticket.number() > persisted()) {
      throw new TransactionException(
          Refusal.LOST,
          "the transaction is from an earlier session: number="
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
    link.reply(client, new Reply.Started(id, ticket));
  }

  private void finish(Request.Finish finish) {
    long number = checked(finish.ticket());
    if (numbers.finish(finish.client(), number, members.all())) {
      orderAll(
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

  private void snapshot(Request.Snapshot snapshot) {
    String name = snapshot.name();
    if (!Snapshots.NAME.matcher(name).matches()) {
      throw new TransactionException(
          Refusal.INVALID,
          "name of a snapshot: expected=" + Snapshots.NAME + " actual=" + name);
    }
    if (snapshots.contains(name) || container.snapshots().names().contains(name)) {
      throw new TransactionException(
          Refusal.EXISTS, "name of a snapshot: expected=a new name actual=" + name);
    }
    ReadContext context =
        contexts.acquire(snapshot.client(), members.session(), readable());
    snapshots.add(
        new SnapshotRounds.Round(snapshot.client(), snapshot.id(), name, context));
  }
}
