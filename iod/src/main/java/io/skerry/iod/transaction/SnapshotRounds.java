package io.skerry.iod.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The snapshots that are being stored. Not thread-safe. */
final class SnapshotRounds {
  /**
   * A snapshot that is being stored.
   *
   * @param context the read context that keeps the version
   */
  record Round(int client, long id, String name, ReadContext context) {}

  private final Map<String, Round> waiting = new TreeMap<>();
  private final Map<String, Round> rounds = new TreeMap<>();
  private final Map<String, Set<Integer>> awaited = new TreeMap<>();

  boolean contains(String name) {
    return waiting.containsKey(name) || rounds.containsKey(name);
  }

  /** Adds a snapshot, which waits until its transaction is persisted. */
  void add(Round round) {
    waiting.put(round.name(), round);
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
      waiting.remove(round.name());
      rounds.put(round.name(), round);
      awaited.put(round.name(), new TreeSet<>(processes));
    }
    return begun;
  }

  /** Notes that a process has stored its part. Returns the snapshot if it was the last process. */
  Optional<Round> prepared(int process, String name) {
    Optional<Set<Integer>> left = Optional.ofNullable(awaited.get(name));
    left.ifPresent(processes -> processes.remove(process));
    return left.filter(Set::isEmpty).flatMap(_ -> take(name));
  }

  Optional<Round> take(String name) {
    awaited.remove(name);
    return Optional.ofNullable(rounds.remove(name));
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
