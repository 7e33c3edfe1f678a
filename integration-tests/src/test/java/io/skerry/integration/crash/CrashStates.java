package io.skerry.integration.crash;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;

/** The distinct states that a crash at any line of a trace may leave. */
final class CrashStates {
  private final List<DiskOperation> operations;
  private final int last;
  private final Map<String, Reached> reached = new LinkedHashMap<>();
  private final Map<String, Crashed> states = new LinkedHashMap<>();

  /** The first of the lines with the same possible states, and the bounds at all of them. */
  private record Reached(int line, Set<Bounds> bounds) {}

  /**
   * The range of steps whose effects may be stored after a crash at one instant.
   *
   * @param acknowledged number of steps that an acknowledged flush has stored
   * @param begun number of steps that have begun
   */
  record Bounds(int acknowledged, int begun) {}

  /**
   * A state after a crash.
   *
   * @param bounds bounds of every instant at which the state is possible; it must satisfy all of
   *     them
   */
  record Crashed(DiskState state, Set<Bounds> bounds) {
    /** Returns whether a flush had been acknowledged at each instant. */
    boolean isAfterFlush() {
      return bounds.stream().allMatch(one -> one.acknowledged() > 0);
    }
  }

  private CrashStates(List<DiskOperation> operations, int last) {
    this.operations = operations;
    this.last = last;
  }

  /**
   * Returns the states of every instant.
   *
   * @param steps number of steps of the program; closing the file follows the last step
   * @param random number of random states per instant at which more states are possible
   */
  static List<Crashed> of(List<DiskOperation> operations, int steps, int random, long seed) {
    CrashStates all = new CrashStates(operations, steps);
    all.reach();
    for (Reached instant : all.reached.values()) {
      all.crash(instant, random, seed);
    }
    return List.copyOf(all.states.values());
  }

  private void reach() {
    TreeSet<Integer> lines = new TreeSet<>();
    for (DiskOperation operation : operations) {
      lines.add(operation.start() + 1);
      lines.add(operation.end() + 1);
    }
    int acknowledged = 0;
    int begun = 0;
    List<DiskOperation> marks =
        new ArrayList<>(operations.stream().filter(o -> o instanceof DiskOperation.Mark).toList());
    for (int line : lines) {
      while (!marks.isEmpty() && marks.getFirst().end() < line) {
        String text = ((DiskOperation.Mark) marks.removeFirst()).text();
        int step = Integer.parseInt(text.substring(text.indexOf(' ') + 1));
        // Counts the earlier steps and this one; closing the file is not a step.
        int done = Math.min(last, step + 1);
        if (text.startsWith(CrashWriter.FLUSHED)) {
          acknowledged = done;
        } else {
          begun = done;
        }
      }
      int at = line;
      reached
          .computeIfAbsent(
              new CrashedDisk(operations, line).signature(), _ -> new Reached(at, new HashSet<>()))
          .bounds()
          .add(new Bounds(acknowledged, begun));
    }
  }

  private void crash(Reached instant, int random, long seed) {
    SplittableRandom draw = new SplittableRandom(seed * 1_000_003 + instant.line());
    for (DiskState state : new CrashedDisk(operations, instant.line()).states(random, draw)) {
      states
          .computeIfAbsent(state.digest(), _ -> new Crashed(state, new HashSet<>()))
          .bounds()
          .addAll(instant.bounds());
    }
  }
}
