package io.skerry.iod.transaction;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Visits all states that a scenario can reach. */
final class Explorer {
  private Explorer() {}

  private record Path(Optional<Path> before, String step) {
    List<String> steps() {
      List<String> steps = new ArrayList<>();
      Optional<Path> at = Optional.of(this);
      while (at.isPresent()) {
        steps.addFirst(at.get().step());
        at = at.get().before();
      }
      return steps;
    }
  }

  private record Visit(World world, Path path) {}

  /**
   * The outcome of an exploration.
   *
   * @param states the number of different states
   * @param steps the number of steps between them
   * @param ends the number of states in which everything has ended
   * @param violation the first violation with the steps that lead to it; empty if there is none
   */
  record Outcome(long states, long steps, long ends, String violation) {}

  /** Explores a scenario until all states are visited or an invariant is violated. */
  static Outcome explore(Scenario scenario) {
    Set<StateCopy.Hash> known = new HashSet<>();
    Deque<Visit> open = new ArrayDeque<>();
    open.push(new Visit(new World(scenario), new Path(Optional.empty(), scenario.name())));
    long steps = 0;
    long ends = 0;
    while (!open.isEmpty()) {
      Visit visit = open.pop();
      List<String> possible = visit.world.steps();
      if (possible.isEmpty()) {
        ends++;
        visit.world.checkEnd();
        if (!visit.world.violation().isEmpty()) {
          return new Outcome(known.size(), steps, ends, describe(visit));
        }
      }
      for (String step : possible) {
        World next = StateCopy.copy(visit.world);
        next.step(step);
        steps++;
        Visit reached = new Visit(next, new Path(Optional.of(visit.path), step));
        if (!next.violation().isEmpty()) {
          return new Outcome(known.size(), steps, ends, describe(reached));
        }
        if (known.add(StateCopy.hash(next))) {
          open.push(reached);
        }
      }
    }
    return new Outcome(known.size(), steps, ends, "");
  }

  private static String describe(Visit visit) {
    return visit.world + "\n  after " + visit.path.steps();
  }

  /** Explores a scenario until an invariant is violated, for mutated copies of the protocol. */
  static String firstViolation(String scenario) {
    return explore(Scenario.of(scenario)).violation();
  }

  /** Prints the number of states of the large scenario, which takes minutes. */
  public static void main(String[] arguments) {
    System.out.println(explore(Scenario.large()));
  }
}
