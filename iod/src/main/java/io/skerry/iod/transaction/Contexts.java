package io.skerry.iod.transaction;

import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;

/** The open read contexts, and the oldest version that is kept for them. Not thread-safe. */
final class Contexts {
  private record Open(int client, long transaction) {}

  private final NavigableMap<Long, Open> open = new TreeMap<>();

  /** The number of open contexts for each transaction that has any. */
  private final NavigableMap<Long, Long> counts = new TreeMap<>();

  private long last;
  private long oldest;

  Contexts(long oldest) {
    this.oldest = oldest;
  }

  /** Returns the oldest version that is kept. */
  long oldest() {
    return oldest;
  }

  /** Returns the transaction that a choice selects. */
  long choose(VersionChoice choice, long number, NavigableSet<Long> versions) {
    if (number < 0) {
      throw new TransactionException(
          Refusal.INVALID, "number of a version: expected=0 or more actual=" + number);
    }
    Optional<Long> found =
        switch (choice) {
          case EXACT -> versions.contains(number) ? Optional.of(number) : Optional.empty();
          case PREV -> Optional.ofNullable(versions.floor(number));
          case NEXT -> Optional.ofNullable(versions.ceiling(number));
          case LAST -> Optional.of(versions.last());
        };
    return found.orElseThrow(() ->
        new TransactionException(
            number < oldest ? Refusal.PURGED : Refusal.NO_VERSION,
            "no version to read: choice="
                + choice
                + " number="
                + number
                + " expected=from the oldest version "
                + oldest
                + " to the readable mark "
                + versions.last()
                + " actual="
                + (number < oldest ? "purged" : "not readable")));
  }

  /** Opens a context of a version. */
  ReadContext acquire(int client, long session, long transaction) {
    last = Math.addExact(last, 1);
    open.put(last, new Open(client, transaction));
    counts.merge(transaction, 1L, Long::sum);
    return new ReadContext(session, last, transaction);
  }

  /** Ends a context; has no effect if it has already ended. */
  void release(long id) {
    Optional.ofNullable(open.remove(id)).ifPresent(this::uncount);
  }

  private void uncount(Open context) {
    long left = counts.getOrDefault(context.transaction(), 0L) - 1;
    if (left > 0) {
      counts.put(context.transaction(), left);
    } else {
      counts.remove(context.transaction());
    }
  }

  void releaseAll(int client) {
    List<Long> ended =
        open.entrySet().stream()
            .filter(entry -> entry.getValue().client() == client)
            .map(Map.Entry::getKey)
            .toList();
    ended.forEach(this::release);
  }

  /** Ends all contexts. */
  void releaseAll() {
    open.clear();
    counts.clear();
  }

  /**
   * Determines which versions can be purged: those below the lowest open context, except those that
   * a recovery needs.
   *
   * @return the new oldest version; empty if it has not changed
   */
  Optional<Long> purge(long persisted) {
    long lowest = counts.isEmpty() ? Long.MAX_VALUE : counts.firstKey();
    long bound = Math.min(lowest, persisted);
    if (bound <= oldest) {
      return Optional.empty();
    }
    oldest = bound;
    return Optional.of(bound);
  }
}
