package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.object.StoreChanges;
import io.skerry.iod.object.Values;
import io.skerry.iod.transaction.AbortExtent;
import io.skerry.iod.transaction.ReadContext;
import io.skerry.iod.transaction.Ticket;
import io.skerry.iod.transaction.TransactionClient;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The transactions of a container that a file has open for writing, on all its ranks. Until {@link
 * #delimit}, one is always open, and {@link #flush} finishes and persists it and starts the next.
 * From then on, the program begins and finishes transactions, and reads outside of them return the
 * base version, for which rank 0 holds a read context.
 *
 * <p>Collective methods are called within an operation; if one fails, the exception is that of
 * {@link FileRanks#exchange}. Guarded by the gate of the file.
 */
public final class NumberedTransactions {
  private static final Ticket NO_TICKET = new Ticket(0, 0);

  private final FileRanks ranks;
  private final Backing backing;
  private final TransactionClient requests;
  private final SharedIds ids;
  private final FinishedParts parts;
  private final HeldVersions versions;
  private Optional<Open> open = Optional.empty();
  private Optional<Base> base = Optional.empty();

  /** The transaction that was started for the next flush when the program began to delimit. */
  private Optional<Ticket> spare = Optional.empty();

  /** The ranks that start and finish a transaction. */
  private enum Starter {
    RANK_0,
    EVERY_RANK
  }

  /** The open transaction of this rank. */
  private record Open(Ticket ticket, StoreChanges changes, Starter starter) {}

  /** The version that reads outside of transactions return. */
  private record Base(ReadContext context, Values values) {}

  NumberedTransactions(FileRanks ranks, Backing backing) {
    this.ranks = ranks;
    this.backing = backing;
    this.requests = backing.transactions();
    this.ids = new SharedIds(ranks);
    this.parts = new FinishedParts(ranks, requests);
    this.versions = new HeldVersions(backing);
  }

  /** Reads the counters of identifiers, and starts the first transaction. Collective. */
  void start() {
    LocalStatus status = new LocalStatus();
    Ticket first = started(status, OptionalLong.empty());
    if (ranks.isFirst()) {
      status.attempt(() -> {
        // The first transaction of an opening follows the readable mark.
        LocalStore.requireRoot(first.number() - 1, backing.name());
        ids.read(backing.change(first));
      });
    }
    open = Optional.of(led(passedOn(status, first)));
  }

  private Open led(Ticket ticket) {
    return new Open(ticket, backing.change(ticket), Starter.RANK_0);
  }

  /** Starts a transaction on rank 0. */
  private Ticket started(LocalStatus status, OptionalLong number) {
    return ranks.isFirst()
        ? status.attempt(
            () -> number.isPresent() ? requests.start(number.getAsLong(), 1) : requests.startNext(),
            NO_TICKET)
        : NO_TICKET;
  }

  /** Passes a ticket from rank 0 to the other ranks, whose own tickets contain only zeros. */
  private Ticket passedOn(LocalStatus status, Ticket ticket) {
    long[] words = ranks.exchange(status, ticket.session(), ticket.number());
    return new Ticket(words[0], words[1]);
  }

  /** Returns whether the program delimits its transactions. Does not fail. */
  public boolean isDelimited() {
    return base.isPresent();
  }

  /** Returns the values of the open transaction, or of the base version. */
  Values values() {
    return open.<Values>map(Open::changes).orElseGet(() -> base.orElseThrow().values());
  }

  /** Returns the changes of the open transaction. */
  StoreChanges changes() {
    return required("change").changes();
  }

  private Open required(String what) {
    return open.orElseThrow(() ->
        new IllegalStateException(
            "no transaction is open on this rank: operation="
                + what
                + " container="
                + backing.name()));
  }

  /** Returns the number of the transaction that the program has begun. Does not fail. */
  OptionalLong current() {
    return isDelimited() && open.isPresent()
        ? OptionalLong.of(open.get().ticket().number())
        : OptionalLong.empty();
  }

  /**
   * Returns a text that must be equal on all ranks in a collective change; empty in leader mode.
   */
  String described() {
    return open.filter(part -> part.starter() == Starter.EVERY_RANK)
        .map(part -> " transaction=" + part.ticket().number())
        .orElse("");
  }

  SharedIds ids() {
    return ids;
  }

  /** Makes the changes of this rank visible to the reads of all ranks. */
  void publish() {
    open.ifPresent(current -> current.changes().flush());
  }

  /**
   * Persists the open transaction and starts the next; if the program delimits its transactions,
   * persists the readable ones. Collective.
   *
   * @param status the failures of this rank since the last flush
   */
  void flush(LocalStatus status) {
    if (isDelimited()) {
      persist(status);
      return;
    }
    Open current = open.orElseThrow();
    long[] changed = ranks.exchange(status, current.changes().hasChanges() ? 1 : 0);
    if (changed[0] == 0) {
      return;
    }
    status.attempt(() -> prepare(current));
    // The transaction is finished only after the changes of all ranks have been stored.
    ranks.requireGood(status);
    if (ranks.isFirst()) {
      status.attempt(() -> {
        requests.finish(current.ticket());
        requests.persist(current.ticket());
        ids.readable(current.ticket().number());
      });
    }
    Ticket next = status.isGood() ? started(status, OptionalLong.empty()) : NO_TICKET;
    open = Optional.of(led(passedOn(status, next)));
  }

  private void prepare(Open current) {
    if (ranks.isFirst()) {
      ids.store(current.changes());
    }
    current.changes().prepare(Durability.BUFFERED);
  }

  private void persist(LocalStatus status) {
    ReadContext last = base.orElseThrow().context();
    if (ranks.isFirst()) {
      // All readable transactions become durable, including those above the base version.
      status.attempt(() -> requests.persist(new Ticket(last.session(), last.transaction())));
    }
    ranks.requireGood(status);
  }

  /**
   * Checks that no transaction of the program is open on this rank.
   *
   * @throws IllegalStateException if one is
   */
  void requireNone() {
    if (current().isPresent()) {
      throw new IllegalStateException(
          "a transaction is open: expected=finish or abort actual=transaction "
              + current().getAsLong()
              + " container="
              + backing.name());
    }
  }

  /** Checks, in addition to {@link #requireNone}, that this rank has no finished parts. */
  void requireNothing() {
    requireNone();
    parts.requireNone();
  }

  /**
   * Lets the program delimit its transactions, after a flush. Has no effect if it fails.
   * Collective.
   */
  void delimit() {
    if (!isDelimited()) {
      long unused = forward();
      // Nothing was written in the open transaction, so it can be the first one of the program.
      spare = open.map(Open::ticket);
      open = Optional.empty();
    }
  }

  /** Lets all ranks read the newest readable version, and returns its number. Collective. */
  private long moveBase(LocalStatus status) {
    ReadContext next = versions.acquire(ranks, status, Transactions.Version.last());
    Optional<Base> before = base;
    base = Optional.of(new Base(next, backing.at(next)));
    before.ifPresent(old -> versions.release(ranks, old.context()));
    return next.transaction();
  }

  /**
   * Begins a transaction in leader mode, and returns its number. Collective.
   *
   * @param number the number; empty for the next one
   */
  long begin(OptionalLong number) {
    LocalStatus status = new LocalStatus();
    boolean fits =
        spare.isPresent() && (number.isEmpty() || number.getAsLong() == spare.get().number());
    Ticket ticket = NO_TICKET;
    if (fits) {
      ticket = spare.orElseThrow();
      spare = Optional.empty();
    } else {
      status.attempt(this::dropSpare);
      ticket = started(status, number);
    }
    Open begun = led(passedOn(status, ticket));
    open = Optional.of(begun);
    return begun.ticket().number();
  }

  /** Aborts the spare transaction, which would prevent later ones from becoming readable. */
  private void dropSpare() {
    Optional<Ticket> dropped = spare;
    spare = Optional.empty();
    if (ranks.isFirst() && dropped.isPresent()) {
      requests.abort(dropped.get(), AbortExtent.ONE);
    }
  }

  /** Finishes the transaction that all ranks have begun, and returns its number. Collective. */
  long finish() {
    LocalStatus status = new LocalStatus();
    Open current = required("finish");
    Ticket ticket = current.ticket();
    status.attempt(() -> prepare(current));
    // The transaction is finished only after the changes of all ranks have been stored.
    ranks.requireGood(status);
    if (ranks.isFirst()) {
      status.attempt(() -> {
        requests.finish(ticket);
        requests.awaitReadable(ticket);
        ids.readable(ticket.number());
      });
    }
    long readable = moveBase(status);
    open = Optional.empty();
    return readable;
  }

  /**
   * Checks that a transaction is open that all ranks have begun together.
   *
   * @throws IllegalStateException if none is open, or this rank has begun a part
   */
  void requireBegun() {
    require(Starter.RANK_0, "finish");
  }

  /** Checks that this rank has begun a part, as {@link #requireBegun} does. */
  void requirePart() {
    require(Starter.EVERY_RANK, "finishPart");
  }

  private void require(Starter starter, String what) {
    if (current().isEmpty() || required(what).starter() != starter) {
      throw new IllegalStateException(
          "no transaction of this kind is open: operation="
              + what
              + " expected=transaction of "
              + starter
              + " actual="
              + (current().isEmpty() ? "none" : required(what).starter())
              + " container="
              + backing.name());
    }
  }

  /** Begins the part of this rank in a transaction. Local. */
  void beginPart(long number) {
    if (!isDelimited()) {
      throw new IllegalStateException(
          "begin or advance comes first, on all ranks: operation=beginPart container="
              + backing.name());
    }
    requireNone();
    dropSpare();
    Ticket ticket = requests.start(number, ranks.communicator().size());
    open = Optional.of(new Open(ticket, backing.change(ticket), Starter.EVERY_RANK));
  }

  /** Finishes the part of this rank. Local. */
  void finishPart() {
    Open part = required("finishPart");
    prepare(part);
    requests.finish(part.ticket());
    parts.add(part.ticket());
    open = Optional.empty();
  }

  /** Waits for the parts of all ranks, and lets all read the newest version. Collective. */
  long advance() {
    parts.awaitAll();
    return forward();
  }

  private long forward() {
    long readable = moveBase(new LocalStatus());
    ids.readable(readable);
    return readable;
  }

  /**
   * Aborts the transactions that any rank has begun and that are not readable. Collective.
   *
   * @return whether there was one
   */
  boolean abort() {
    // A failure is ignored: the changes are aborted anyway, and late changes are refused.
    new LocalStatus().attempt(this::publish);
    boolean unused = parts.awaitCommon(new LocalStatus());
    List<Ticket> ended = new ArrayList<>(parts.all());
    Optional<Open> current = isDelimited() ? open : Optional.empty();
    current.ifPresent(transaction -> ended.add(transaction.ticket()));
    LocalStatus status = new LocalStatus();
    long[] any = ranks.exchange(status, ended.size());
    boolean isLed = current.filter(led -> led.starter() == Starter.RANK_0).isPresent();
    if (ranks.isFirst() || !isLed) {
      ended.forEach(ticket -> status.attempt(() -> parts.abort(ticket, backing.container())));
    }
    ranks.requireGood(status);
    if (any[0] == 0) {
      return false;
    }
    ended.forEach(ticket -> ids.aborted(ticket.number()));
    open = Optional.empty();
    parts.clear();
    // A container has at least the version with its root group.
    return forward() > 0;
  }

  /** Aborts the open transactions, and persists the readable ones. Collective. */
  void end() {
    boolean unused = abort();
    persist(new LocalStatus());
  }

  /** Returns the versions of the container. Does not fail. */
  HeldVersions versions() {
    return versions;
  }

  /** Notes that the container is being closed, and returns the changes that must be aborted. */
  Optional<StoreChanges> ended() {
    versions.end();
    return open.map(Open::changes);
  }
}
