package io.skerry.integration.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counts states by number of ranks and program mode, and collects failures. */
final class CrashTally {
  private static final int MOST_TOLD = 10;

  private final Map<String, Map<String, Long>> rows = new TreeMap<>();
  private final List<String> wrong = new ArrayList<>();
  private long states;

  void count(String row, String column) {
    rows.computeIfAbsent(row, _ -> new TreeMap<>()).merge(column, 1L, Long::sum);
  }

  void state() {
    states++;
  }

  long states() {
    return states;
  }

  long count(String column) {
    return rows.values().stream().mapToLong(row -> row.getOrDefault(column, 0L)).sum();
  }

  void wrong(String what) {
    if (wrong.size() < MOST_TOLD) {
      wrong.add(what);
    }
  }

  List<String> wrong() {
    return wrong;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder();
    rows.forEach((row, columns) -> text.append(row).append(": ").append(columns).append('\n'));
    return text.append("states=").append(states).append(" wrong=").append(wrong.size()).toString();
  }
}
