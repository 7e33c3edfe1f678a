package io.skerry.peers;

import java.util.List;

/**
 * Prints the conditions of a comparison and, if the format is JSON, its results. Tables are printed
 * elsewhere.
 */
final class Report {
  private Report() {}

  /**
   * Prints the report.
   *
   * @param name the command without its options
   * @param pairs the pairs of libraries whose ratios are reported
   */
  static void print(
      String name,
      String[] args,
      int runs,
      Options.Output output,
      List<Race> races,
      List<String[]> pairs) {
    printTasks(name, args, runs, output, races.stream().map(race -> race.json(pairs)).toList());
  }

  /**
   * Prints the report.
   *
   * @param name the command without its options
   * @param tasks the results of each task as JSON
   */
  static void printTasks(
      String name, String[] args, int runs, Options.Output output, List<String> tasks) {
    String command = (name + " " + String.join(" ", args)).strip();
    int processors = Runtime.getRuntime().availableProcessors();
    switch (output) {
      case TABLE ->
          System.out.println(command + " (processors: " + processors + ", runs: " + runs + ")");
      case JSON ->
          System.out.println(
              "{\"command\": "
                  + Json.text(command)
                  + ", \"processors\": "
                  + processors
                  + ", \"runs\": "
                  + runs
                  + ", \"tasks\": [\n"
                  + String.join(",\n", tasks)
                  + "]}");
    }
  }
}
