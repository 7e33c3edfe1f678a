package io.skerry.iod.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The states of all transaction numbers, and the readable mark.
 *
 * <pre>
 *          start           finish by all clients        prepared by all processes, and each
 *  FREE ──────────► STARTED ──────────► FINISHED ─────► READABLE   lower started number is
 *    │                 │    abort          │    abort              settled: READABLE, or
 *    │ skip, or a      └──────────┬────────┘                       ABORTED and removed by
 *    ▼ higher one is              ▼                                all processes
 *  SKIPPED   readable          ABORTED
 * </pre>
 *
 * <p>A rollback makes all numbers above the persisted mark FREE. Not thread-safe.
 */
final class Numbers {
  private final NavigableMap<Long, StartedTransaction> started = new TreeMap<>();
  private final NavigableSet<Long> versions = new TreeSet<>();
  private final NavigableSet<Long> aborted = new TreeSet<>();
  private final NavigableMap<Long, Long> skipped = new TreeMap<>();
  private long readable;

  Numbers(long mark) {
    readable = mark;
    versions.add(mark);
  }

  /** Returns the newest readable transaction. */
  long readable() {
    return readable;
  }

  /** Returns the readable transactions that have not been purged. */
  NavigableSet<Long> versions() {
    return versions;
  }

  /** Returns the next number above all numbers in use. */
  long next() {
    long last = Math.max(readable, started.isEmpty() ? 0 : started.lastKey());
    last = Math.max(last, aborted.isEmpty() ? 0 : aborted.last());
    last = Math.max(last, skipped.isEmpty() ? 0 : skipped.lastEntry().getValue());
    if (last == Long.MAX_VALUE) {
      throw new TransactionException(
          Refusal.INVALID, "no number is left: readable mark=" + readable + " skipped=" + skipped);
    }
    return last + 1;
  }

  /** Returns the state of a number. A purged number is reported as readable unless aborted. */
  TransactionState state(long number) {
    Optional<StartedTransaction> known = Optional.ofNullable(started.get(number));
    if (known.isPresent()) {
      return known.get().state();
    }
    if (aborted.contains(number)) {
      return TransactionState.ABORTED;
    }
    if (number > readable) {
      Map.Entry<Long, Long> range = skipped.floorEntry(number);
      return range != null && range.getValue() >= number
          ? TransactionState.SKIPPED
          : TransactionState.FREE;
    }
    return versions.contains(number) || number < versions.first()
        ? TransactionState.READABLE
        : TransactionState.SKIPPED;
  }

  private StartedTransaction transaction(long number) {
    return Optional.ofNullable(started.get(number)).orElseThrow();
  }

  private TransactionException refused(String what, long number, Object expected) {
    TransactionState state = state(number);
    return new TransactionException(
        state == TransactionState.ABORTED ? Refusal.ABORTED : Refusal.STATE,
        what
            + ": number="
            + number
            + " expected="
            + expected
            + " actual="
            + state
            + ", readable mark "
            + readable);
  }

  /** Notes that a client has started a transaction. */
  void start(int client, long number, int clients) {
    TransactionState state = state(number);
    if (state == TransactionState.FREE) {
      started.put(number, new StartedTransaction(clients));
    } else if (state != TransactionState.STARTED) {
      throw refused("start of a transaction", number, TransactionState.FREE);
    }
    transaction(number).start(client, clients, number);
  }

  /**
   * Notes that a client has finished its part of a transaction.
   *
   * @return whether all clients have finished, so that the processes must prepare the transaction
   */
  boolean finish(int client, long number, Set<Integer> processes) {
    if (state(number) != TransactionState.STARTED) {
      throw refused("finish of a transaction", number, TransactionState.STARTED);
    }
    StartedTransaction transaction = transaction(number);
    transaction.finish(client, number);
    transaction.await(processes);
    return transaction.state() == TransactionState.FINISHED;
  }

  /**
   * Aborts transactions.
   *
   * @return the numbers of the aborted transactions, whose changes the processes must remove
   */
  List<Long> abort(long number, AbortExtent extent, Set<Integer> processes) {
    TransactionState state = state(number);
    if (state != TransactionState.STARTED && state != TransactionState.FINISHED) {
      throw refused("abort of a transaction", number, "STARTED or FINISHED");
    }
    List<Long> ended = new ArrayList<>();
    long last = extent == AbortExtent.ONE ? number : Long.MAX_VALUE;
    started
        .subMap(number, true, last, true)
        .forEach((each, transaction) -> {
          if (transaction.state() != TransactionState.ABORTED) {
            transaction.abort();
            transaction.await(processes);
            aborted.add(each);
            ended.add(each);
          }
        });
    return ended;
  }

  /** Returns the transactions that cannot be finished because clients were lost. */
  List<Long> beyond(Set<Integer> lost, int clients) {
    return started.entrySet().stream()
        .filter(entry -> entry.getValue().isBeyond(lost, clients))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Skips free numbers. */
  void skip(long first, long last) {
    if (first < 1 || last < first) {
      throw new TransactionException(
          Refusal.INVALID, "numbers to skip: expected=1 or more actual=" + first + " to " + last);
    }
    if (first <= readable) {
      throw refused("skip of numbers", first, "above the readable mark");
    }
    Optional<Long> used = Optional.ofNullable(started.ceilingKey(first));
    if (used.isPresent() && used.get() <= last) {
      throw refused("skip of numbers", used.get(), TransactionState.FREE);
    }
    long from = first;
    long to = last;
    // Overlapping ranges are merged, so that a number is skipped if the range below it contains it.
    Map.Entry<Long, Long> below = skipped.floorEntry(first);
    if (below != null && below.getValue() >= first) {
      from = below.getKey();
    }
    NavigableMap<Long, Long> joined = skipped.subMap(from, true, last, true);
    for (long end : joined.values()) {
      to = Math.max(to, end);
    }
    joined.clear();
    skipped.put(from, to);
  }

  /** Notes that a process has prepared a transaction. */
  void prepared(int process, long number) {
    answered(process, number, TransactionState.FINISHED);
  }

  /** Notes that a process has removed a transaction. */
  void removed(int process, long number) {
    answered(process, number, TransactionState.ABORTED);
  }

  private void answered(int process, long number, TransactionState state) {
    StartedTransaction transaction = started.get(number);
    if (transaction != null && transaction.state() == state) {
      transaction.answered(process);
    }
  }

  /** Advances the readable mark over settled transactions. */
  void advance() {
    while (!started.isEmpty() && started.firstEntry().getValue().isSettled()) {
      Map.Entry<Long, StartedTransaction> first = started.pollFirstEntry();
      if (first.getValue().state() == TransactionState.FINISHED) {
        readable = first.getKey();
        versions.add(readable);
      }
    }
    while (!skipped.isEmpty() && skipped.firstEntry().getValue() <= readable) {
      skipped.pollFirstEntry();
    }
  }

  /** Forgets the versions below a version. */
  void purge(long oldest) {
    versions.headSet(oldest).clear();
  }

  /** Makes all numbers above a readable transaction free. */
  void rollBack(long mark) {
    started.clear();
    versions.tailSet(mark, false).clear();
    aborted.tailSet(mark, false).clear();
    skipped.tailMap(mark, false).clear();
    readable = mark;
  }

  /** A transaction that was started and is not readable. */
  private static final class StartedTransaction {
    private final int clients;
    private final Set<Integer> started = new TreeSet<>();
    private final Set<Integer> finished = new TreeSet<>();
    private final Set<Integer> awaited = new TreeSet<>();
    private TransactionState state = TransactionState.STARTED;

    StartedTransaction(int clients) {
      this.clients = clients;
    }

    TransactionState state() {
      return state;
    }

    /** Notes that a client has started the transaction. */
    void start(int client, int declared, long number) {
      if (declared != clients || started.contains(client) || started.size() == clients) {
        throw new TransactionException(
            declared == clients ? Refusal.STATE : Refusal.INVALID,
            "start of a transaction: number="
                + number
                + " client="
                + client
                + " expected="
                + clients
                + " clients actual="
                + declared
                + " clients, started by "
                + started);
      }
      started.add(client);
    }

    /** Notes that a client has finished its part. */
    void finish(int client, long number) {
      if (!started.contains(client) || !finished.add(client)) {
        throw new TransactionException(
            Refusal.STATE,
            "finish of a transaction: number="
                + number
                + " client="
                + client
                + " expected=started and not finished by the client actual=started by "
                + started
                + ", finished by "
                + finished);
      }
      if (finished.size() == clients) {
        state = TransactionState.FINISHED;
      }
    }

    void abort() {
      state = TransactionState.ABORTED;
    }

    /** Begins to wait for an answer about the state from each process. */
    void await(Set<Integer> processes) {
      awaited.clear();
      awaited.addAll(processes);
    }

    /** Notes that a process has executed the order that belongs to the state. */
    void answered(int process) {
      awaited.remove(process);
    }

    /** Returns whether all processes have prepared or removed the changes. */
    boolean isSettled() {
      return state != TransactionState.STARTED && awaited.isEmpty();
    }

    /**
     * Returns whether too few clients are left to finish the transaction.
     *
     * @param lost the clients that were lost
     * @param all the number of all clients
     */
    boolean isBeyond(Set<Integer> lost, int all) {
      long gone = lost.stream().filter(client -> !finished.contains(client)).count();
      boolean broken = lost.stream().anyMatch(c -> started.contains(c) && !finished.contains(c));
      return state == TransactionState.STARTED && (broken || clients > all - gone);
    }
  }
}
