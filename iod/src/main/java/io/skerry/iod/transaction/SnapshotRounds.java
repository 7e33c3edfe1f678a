package io.skerry.iod.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The snapshots that are being stored. Each attempt has its own number, so that an answer to a
 * refused attempt does not count toward a later attempt with the same name. Not thread-safe.
 */
final class SnapshotRounds {
  /**
   * A snapshot that is being stored.
   *
   * @param number the number of the attempt
   * @param context the read context that keeps the version
   */
  record Round(long number, int client, long id, String name, ReadContext context) {}

  private final Map<Long, Round> waiting = new TreeMap<>();
  private final Map<Long, Round> rounds = new TreeMap<>();
  private final Map<Long, Set<Integer>> awaited = new TreeMap<>();
  private long last;

  boolean contains(String name) {
    return Stream.concat(waiting.values().stream(), rounds.values().stream())
        .anyMatch(round -> round.name().equals(name));
  }

  /** Adds a snapshot that waits until its transaction is persisted. */
  void add(int client, long id, String name, ReadContext context) {
    last++;
    waiting.put(last, new Round(last, client, id, name, context));
  }

  /** Returns whether a snapshot waits until its transaction is persisted. */
  boolean hasWaiting() {
    return !waiting.isEmpty();
  }

  /** Begins the snapshots of persisted transactions, and returns them. */
  List<Round> begin(long persisted, Set<Integer> processes) {
    List<Round> begun =
        waiting.values().stream().filter(r -> r.context().transaction() <= persisted).toList();
    for (Round round : begun) {
      waiting.remove(round.number());
      rounds.put(round.number(), round);
      awaited.put(round.number(), new TreeSet<>(processes));
    }
    return begun;
  }

  /**
   * Notes that a process has stored its part. Returns the snapshot if this was the last process.
   */
  Optional<Round> prepared(int process, long number) {
    Optional<Set<Integer>> left = Optional.ofNullable(awaited.get(number));
    left.ifPresent(processes -> processes.remove(process));
    return left.filter(Set::isEmpty).flatMap(_ -> take(number));
  }

  /** Removes a snapshot that is being stored. */
  Optional<Round> take(long number) {
    awaited.remove(number);
    return Optional.ofNullable(rounds.remove(number));
  }

  List<Round> takeAll() {
    List<Round> taken = new ArrayList<>(waiting.values());
    taken.addAll(rounds.values());
    waiting.clear();
    rounds.clear();
    awaited.clear();
    return taken;
  }
}
