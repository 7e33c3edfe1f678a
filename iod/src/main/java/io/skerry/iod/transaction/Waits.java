package io.skerry.iod.transaction;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/** The requests that wait for a transaction to become readable or persisted. Not thread-safe. */
final class Waits {
  /** The event for which a request waits. */
  enum Event {
    READABLE,
    PERSISTED
  }

  record Wait(int client, long id, Event event, long number) {}

  private final List<Wait> waits = new ArrayList<>();

  void add(Wait wait) {
    waits.add(wait);
  }

  /** Removes the waits that fulfil a condition, and returns them. */
  List<Wait> take(Predicate<Wait> condition) {
    List<Wait> taken = new ArrayList<>();
    for (Iterator<Wait> each = waits.iterator(); each.hasNext(); ) {
      Wait wait = each.next();
      if (condition.test(wait)) {
        taken.add(wait);
        each.remove();
      }
    }
    return taken;
  }

  /** Returns whether a request waits until a readable transaction is persisted. */
  boolean needsPersist(long readable) {
    return waits.stream().anyMatch(w -> w.event() == Event.PERSISTED && w.number() <= readable);
  }
}
