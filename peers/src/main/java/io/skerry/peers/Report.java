package io.skerry.peers;

import java.util.List;

/** Prints the results of a comparison: all tasks as JSON, or the tables and their conditions. */
final class Report {
  private Report() {}

  /**
   * Prints.
   *
   * @param name the command without its options
   * @param pairs whose ratios are told
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
   * Prints.
   *
   * @param name the command without its options
   * @param tasks each as JSON, if that is the output
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
