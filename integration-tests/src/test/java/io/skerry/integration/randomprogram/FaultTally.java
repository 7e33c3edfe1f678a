package io.skerry.integration.randomprogram;

import java.util.EnumMap;
import java.util.Map;

/** How often something failed, in all programs and on all ranks. */
final class FaultTally {
  /** What failed. */
  enum Kind {
    /** A file call, before anything was replaced. */
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
