package io.skerry.integration.interop;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Counts the results of the checks of many files, and collects the defects. */
final class Tally {
  private static final Pattern COUNT = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\": (\\d+)");

  private final Map<String, Long> counts = new TreeMap<>();
  private final List<String> defects = new ArrayList<>();

  void count(String what) {
    count(what, 1);
  }

  void count(String what, long times) {
    counts.merge(what, times, Long::sum);
  }

  /** Records a defect. */
  void defect(String what) {
    count("defects");
    defects.add(what);
  }

  /** Records the output of a comparison script: lines of differences, then a line of counts. */
  void compared(String judge, String printed) {
    List<String> lines = printed.strip().lines().toList();
    for (String line : lines.subList(0, lines.size() - 1)) {
      if (line.contains("type vlen{vlen{")) {
        // NumPy merges sequences of equal length into one array before they are digested.
        count(judge + ": sequences of sequences not compared");
      } else {
        defect(judge + ": " + line);
      }
    }
    Matcher matcher = COUNT.matcher(lines.getLast());
    while (matcher.find()) {
      count(judge + ": " + matcher.group(1), Long.parseLong(matcher.group(2)));
    }
  }

  long of(String what) {
    return counts.getOrDefault(what, 0L);
  }

  List<String> defects() {
    return List.copyOf(defects);
  }

  /** Returns the messages of a throwable and its causes, and the stack of the root cause. */
  static String story(Throwable problem) {
    StringBuilder story = new StringBuilder();
    for (Throwable at = problem; at != null; at = at.getCause()) {
      String text = at.toString();
      story.append(text, 0, Math.min(500, text.length())).append(" | ");
      if (at.getCause() == null) {
        for (int i = 0; i < Math.min(6, at.getStackTrace().length); i++) {
          story.append(at.getStackTrace()[i]).append(" < ");
        }
      }
    }
    return story.toString();
  }

  /** Returns the counts as JSON, one per line. */
  String json() {
    StringBuilder out = new StringBuilder("{");
    counts.forEach((what, times) ->
        out.append(out.length() == 1 ? "\n  \"" : ",\n  \"")
            .append(what.replace("\"", "'"))
            .append("\": ")
            .append(times));
    return out.append("\n}").toString();
  }
}
