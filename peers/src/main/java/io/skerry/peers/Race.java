package io.skerry.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Measures a task with several libraries. A round is one run of each library, in an order that
 * rotates from round to round, so that other load on the machine affects all libraries equally. The
 * first rounds are not counted. All libraries must produce the same result.
 */
final class Race {
  private final String task;
  private final Map<String, Runner> runners = new LinkedHashMap<>();
  private final Map<String, double[]> seconds = new LinkedHashMap<>();
  private final Map<String, String> refused = new LinkedHashMap<>();

  private final int warmUps;
  private final Unit unit;

  /** The unit of time in the table. */
  enum Unit {
    SECONDS("s", 1),
    NANOSECONDS("ns", 1e9);

    private final String symbol;
    private final double perSecond;

    Unit(String symbol, double perSecond) {
      this.symbol = symbol;
      this.perSecond = perSecond;
    }

    private String show(double seconds) {
      return String.format(Locale.ROOT, "%8.3f %s", seconds * perSecond, symbol);
    }
  }

  /** Creates a race with one uncounted round. */
  Race(String task) {
    this(task, 1);
  }

  /**
   * Creates a race.
   *
   * @param warmUps the number of uncounted rounds
   */
  Race(String task, int warmUps) {
    this(task, warmUps, Unit.SECONDS);
  }

  /**
   * Creates a race.
   *
   * @param warmUps the number of uncounted rounds
   */
  Race(String task, int warmUps, Unit unit) {
    this.task = task;
    this.warmUps = warmUps;
    this.unit = unit;
  }

  /**
   * Executes the timed part of a run, and returns a function that computes the result of the run
   * outside the measured time.
   */
  @FunctionalInterface
  interface Runner {
    Check run() throws IOException;
  }

  /** Computes the result of a run as a number. */
  @FunctionalInterface
  interface Check {
    long result() throws IOException;

    /** Returns the time of the run in seconds if it was measured separately; otherwise empty. */
    default OptionalDouble seconds() {
      return OptionalDouble.empty();
    }
  }

  /**
   * The result of a run whose time was measured separately.
   *
   * @param took the time in seconds
   */
  record Timed(double took, Check check) implements Check {
    @Override
    public long result() throws IOException {
      return check.result();
    }

    @Override
    public OptionalDouble seconds() {
      return OptionalDouble.of(took);
    }
  }

  Race add(String library, Runner runner) {
    runners.put(library, runner);
    return this;
  }

  /** Runs the uncounted rounds, then the given number of counted rounds. */
  Race run(int rounds) throws IOException {
    runners.keySet().forEach(name -> seconds.put(name, new double[rounds]));
    List<String> order = new ArrayList<>(runners.keySet());
    Map<String, Long> results = new HashMap<>();
    for (int round = -warmUps; round < rounds; round++) {
      for (String name : order) {
        if (!refused.containsKey(name)) {
          runOnce(name, round, results);
        }
      }
      order.addLast(order.removeFirst());
    }
    refused.keySet().forEach(seconds::remove);
    seconds.values().forEach(Arrays::sort);
    if (results.values().stream().distinct().count() > 1) {
      throw new IllegalStateException("different results: task=" + task + " results=" + results);
    }
    return this;
  }

  private void runOnce(String name, int round, Map<String, Long> results) throws IOException {
    // The garbage of one library must not be collected while the next library is timed.
    System.gc();
    long start = System.nanoTime();
    try {
      Check check = Objects.requireNonNull(runners.get(name)).run();
      double passed = (System.nanoTime() - start) / 1e9;
      long result = check.result();
      Long before = results.putIfAbsent(name, result);
      if (before != null && before != result) {
        throw new IllegalStateException("unstable result: task=" + task + " library=" + name);
      }
      if (round >= 0) {
        Objects.requireNonNull(seconds.get(name))[round] = check.seconds().orElse(passed);
      }
    } catch (RuntimeException e) {
      if (e instanceof IllegalStateException || round >= 0) {
        throw e;
      }
      refused.put(name, String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
    }
  }

  private static double median(double[] sorted) {
    int middle = sorted.length / 2;
    return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }

  /**
   * Returns the median time of {@code theirs} divided by that of {@code ours}; empty if either has
   * no results.
   */
  OptionalDouble ratio(String ours, String theirs) {
    Optional<double[]> a = Optional.ofNullable(seconds.get(ours));
    Optional<double[]> b = Optional.ofNullable(seconds.get(theirs));
    return a.isPresent() && b.isPresent()
        ? OptionalDouble.of(median(b.get()) / median(a.get()))
        : OptionalDouble.empty();
  }

  /** Returns the results as lines of a table. */
  String table(List<String[]> pairs) {
    StringBuilder text = new StringBuilder();
    seconds.forEach((name, times) ->
        text.append(
            String.format(
                Locale.ROOT,
                "%-18s %-25s median %s  least %s  most %s%n",
                task,
                name,
                unit.show(median(times)),
                unit.show(times[0]),
                unit.show(times[times.length - 1]))));
    refused.forEach((name, why) ->
        text.append(String.format(Locale.ROOT, "%-18s %-25s refused: %s%n", task, name, why)));
    for (String[] pair : pairs) {
      ratio(pair[0], pair[1])
          .ifPresent(ratio ->
              text.append(
                  String.format(
                      Locale.ROOT,
                      "%-18s %s is %.2f times as fast as %s%n",
                      task,
                      pair[0],
                      ratio,
                      pair[1])));
    }
    return text.toString();
  }

  /** Returns the results as a JSON object. */
  String json(List<String[]> pairs) {
    List<String> times = new ArrayList<>();
    seconds.forEach((name, sorted) -> times.add(Json.text(name) + ": " + Arrays.toString(sorted)));
    List<String> ratios = new ArrayList<>();
    for (String[] pair : pairs) {
      ratio(pair[0], pair[1])
          .ifPresent(ratio ->
              ratios.add(
                  Json.text(pair[0] + " / " + pair[1])
                      + String.format(Locale.ROOT, ": %.3f", ratio)));
    }
    List<String> refusals = new ArrayList<>();
    refused.forEach((name, why) -> refusals.add(Json.text(name) + ": " + Json.text(why)));
    return "{\"task\": "
        + Json.text(task)
        + ", \"seconds\": "
        + Json.object(times)
        + ", \"timesAsFast\": "
        + Json.object(ratios)
        + ", \"refused\": "
        + Json.object(refusals)
        + "}";
  }
}
