package io.skerry.integration.randomprogram;

import java.util.EnumMap;
import java.util.Map;

/** Counts the failures in all programs and on all ranks by kind. */
final class FaultTally {
  /** The kind of a failure. */
  enum Kind {
    /** A file call before a commit. */
    FILE,
    /** A file call within a commit. */
    COMMIT,
    ARGUMENTS,
    FILTER,
    OPEN,
    CLOSE
  }

  private final Map<Kind, Integer> counts = new EnumMap<>(Kind.class);

  synchronized void add(Kind kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  synchronized int count(Kind kind) {
    return counts.getOrDefault(kind, 0);
  }

  @Override
  public synchronized String toString() {
    return counts.toString();
  }
}
