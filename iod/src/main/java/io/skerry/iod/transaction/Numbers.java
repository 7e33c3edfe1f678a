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
 * The states of all numbers, and the readable mark.
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

  /** Returns the number above all that are in use. */
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
    if (started.containsKey(number)) {
      return started.get(number).state();
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

  /** Counts the start of a client. */
  void start(int client, long number, int clients) {
    TransactionState state = state(number);
    if (state == TransactionState.FREE) {
      started.put(number, new StartedTransaction(clients));
    } else if (state != TransactionState.STARTED) {
      throw refused("start of a transaction", number, TransactionState.FREE);
    }
    started.get(number).start(client, clients, number);
  }

  /**
   * Counts the finish of a client.
   *
   * @return whether all clients have finished, and the processes have to prepare the transaction
   */
  boolean finish(int client, long number, Set<Integer> processes) {
    if (state(number) != TransactionState.STARTED) {
      throw refused("finish of a transaction", number, TransactionState.STARTED);
    }
    StartedTransaction transaction = started.get(number);
    transaction.finish(client, number);
    transaction.await(processes);
    return transaction.state() == TransactionState.FINISHED;
  }

  /**
   * Aborts transactions.
   *
   * @return their numbers; the processes have to remove their changes
   */
  List<Long> abort(long number, AbortExtent extent, Set<Integer> processes) {
    TransactionState state = state(number);
    if (state != TransactionState.STARTED && state != TransactionState.FINISHED) {
      throw refused("abort of a transaction", number, "STARTED or FINISHED");
    }
    List<Long> ended = new ArrayList<>();
    long last = extent == AbortExtent.ONE ? number : Long.MAX_VALUE;
    started.subMap(number, true, last, true).forEach((each, transaction) -> {
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
    // Ranges that overlap are joined, so that the one below a number decides about it.
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
}
