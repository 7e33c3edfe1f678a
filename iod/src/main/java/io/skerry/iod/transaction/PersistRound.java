package io.skerry.iod.transaction;

import java.util.Set;
import java.util.TreeSet;

/** The persisted mark, and the round of messages that advances it. Not thread-safe. */
final class PersistRound {
  private final Set<Integer> awaited = new TreeSet<>();
  private boolean isActive;
  private long persisted;
  private long through;

  PersistRound(long persisted) {
    this.persisted = persisted;
    this.through = persisted;
  }

  /** Returns the newest transaction that no crash can lose. */
  long persisted() {
    return persisted;
  }

  boolean isActive() {
    return isActive;
  }

  long through() {
    return through;
  }

  void begin(long to, Set<Integer> processes) {
    through = to;
    isActive = true;
    awaited.clear();
    awaited.addAll(processes);
  }

  /** Notes that a process has made its changes durable. */
  void answered(int process, long to) {
    if (to == through) {
      awaited.remove(process);
    }
  }

  /** Returns whether all processes have made their changes durable. */
  boolean isComplete() {
    return isActive && awaited.isEmpty();
  }

  void end() {
    persisted = through;
    isActive = false;
  }

  void cancel() {
    isActive = false;
    awaited.clear();
  }
}
