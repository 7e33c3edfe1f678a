package io.skerry.iod.transaction;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The session, its participants, and the answers that they owe. */
final class Members {
  /** An obligation to answer. */
  private record Debt(int answers, long since) {}

  private final int count;
  private final long patience;
  private final Set<Integer> joined = new TreeSet<>();
  private final Set<Integer> recovered = new TreeSet<>();
  private final Map<Integer, Debt> debts = new TreeMap<>();
  private final Map<Long, Long> ended = new TreeMap<>();
  private long session;
  private long now;

  /** False until the first time is known. */
  private boolean timed;

  private String cause = "the participants have not joined";
  private Optional<String> failure = Optional.empty();

  Members(LeaderOptions options) {
    this.count = options.processes();
    this.patience = options.patience();
    this.session = options.firstSession();
  }

  long session() {
    return session;
  }

  /** Returns whether the transaction of a ticket ended with its session, without being finished. */
  boolean endedWithSession(Ticket ticket) {
    return ticket.session() != session
        && ticket.number() > ended.getOrDefault(ticket.session(), 0L);
  }

  Set<Integer> all() {
    return IntStream.range(0, count).boxed().collect(Collectors.toCollection(TreeSet::new));
  }

  Set<Integer> joined() {
    return joined;
  }

  boolean isOpen() {
    return failure.isEmpty() && recovered.size() == count;
  }

  /** Returns whether the leader has failed and executes no more requests. */
  boolean hasFailed() {
    return failure.isPresent();
  }

  void fail(String why) {
    failure = failure.or(() -> Optional.of(why));
  }

  /** Throws an exception unless all participants have been recovered. */
  void requireOpen() {
    if (failure.isPresent()) {
      throw new TransactionException(Refusal.STORAGE, failure.get());
    }
    if (!isOpen()) {
      Set<Integer> missing = all();
      missing.removeAll(recovered);
      throw new TransactionException(
          Refusal.NOT_OPEN,
          "the container is being recovered: missing processes=" + missing + " cause=" + cause);
    }
  }

  void requireMember(int process) {
    if (process < 0 || process >= count) {
      throw new IllegalArgumentException(
          "process: expected=0 to " + (count - 1) + " actual=" + process);
    }
  }

  void join(int process) {
    joined.add(process);
  }

  void leave(int process, String why) {
    joined.remove(process);
    cause = why;
  }

  String cause() {
    return cause;
  }

  /**
   * Begins a session in which no participant has been recovered.
   *
   * @param persisted the last transaction of the previous session that is not lost
   */
  void nextSession(long persisted) {
    ended.put(session, persisted);
    session = Math.addExact(session, 1);
    recovered.clear();
    debts.clear();
  }

  void recovered(int process) {
    recovered.add(process);
  }

  /** Notes that a participant owes an answer. */
  void owes(int process) {
    Debt debt = debts.getOrDefault(process, new Debt(0, now));
    debts.put(process, new Debt(debt.answers() + 1, debt.since()));
  }

  /** Notes an answer. */
  void answered(int process) {
    int left = debts.getOrDefault(process, new Debt(1, now)).answers() - 1;
    if (left > 0) {
      debts.put(process, new Debt(left, now));
    } else {
      debts.remove(process);
    }
  }

  /** Returns the participants that have not answered for too long. */
  Set<Integer> silent(long time) {
    now = time;
    if (!timed) {
      timed = true;
      debts.replaceAll((_, debt) -> new Debt(debt.answers(), time));
    }
    return debts.entrySet().stream()
        .filter(debt -> time - debt.getValue().since() > patience)
        .map(Map.Entry::getKey)
        .collect(Collectors.toCollection(TreeSet::new));
  }
}
