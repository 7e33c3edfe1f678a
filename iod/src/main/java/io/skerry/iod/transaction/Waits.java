package io.skerry.iod.transaction;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The requests that wait for a transaction to become readable or persisted, by transaction number,
 * so that the leader's work for a message does not grow with the number of waiting clients. Not
 * thread-safe.
 */
final class Waits {
  /** The event for which a request waits. */
  enum Event {
    READABLE,
    PERSISTED
  }

  record Wait(int client, long id, Event event, long number) {}

  private final NavigableMap<Long, List<Wait>> readable = new TreeMap<>();
  private final NavigableMap<Long, List<Wait>> persisted = new TreeMap<>();

  private NavigableMap<Long, List<Wait>> waits(Event event) {
    return switch (event) {
      case READABLE -> readable;
      case PERSISTED -> persisted;
    };
  }

  void add(Wait wait) {
    waits(wait.event()).computeIfAbsent(wait.number(), _ -> new ArrayList<>()).add(wait);
  }

  /** Removes the waits for an event for all transactions up to a number, and returns them. */
  List<Wait> takeThrough(Event event, long number) {
    return taken(waits(event).headMap(number, true));
  }

  /** Removes the waits for events of one transaction, and returns them. */
  List<Wait> takeOf(long number) {
    List<Wait> taken = taken(readable.subMap(number, true, number, true));
    taken.addAll(taken(persisted.subMap(number, true, number, true)));
    return taken;
  }

  /** Removes all waits, and returns them. */
  List<Wait> takeAll() {
    List<Wait> taken = taken(readable);
    taken.addAll(taken(persisted));
    return taken;
  }

  /** Removes the waits of a client. The time is proportional to the number of all waits. */
  void removeOf(int client) {
    for (NavigableMap<Long, List<Wait>> waits : List.of(readable, persisted)) {
      waits.values().forEach(of -> of.removeIf(wait -> wait.client() == client));
      waits.values().removeIf(List::isEmpty);
    }
  }

  private static List<Wait> taken(NavigableMap<Long, List<Wait>> part) {
    List<Wait> taken = new ArrayList<>();
    part.values().forEach(taken::addAll);
    part.clear();
    return taken;
  }

  /** Returns whether a request waits until a readable transaction is persisted. */
  boolean needsPersist(long mark) {
    return Optional.ofNullable(persisted.firstEntry())
        .filter(first -> first.getKey() <= mark)
        .isPresent();
  }
}
