package io.skerry.testkit.launch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program that runs in a new JVM with the class path of this JVM.
 *
 * @param main the name of the main class
 * @param jvmOptions options of the JVM, such as its heap size
 * @param arguments arguments of the program
 */
public record ChildProgram(String main, List<String> jvmOptions, List<String> arguments) {
  /**
   * The option that selects the default compiler of test programs. Most test programs end within
   * seconds, and the optimizing compiler would take up to half of their processor time.
   */
  public static final String QUICK_COMPILER = "-XX:TieredStopAtLevel=1";

  /**
   * The option that sets the default young generation size of test programs. With a larger young
   * generation, short programs would continually touch new memory pages, which takes more time than
   * garbage collection.
   */
  static final String SMALL_YOUNG_GENERATION = "-Xmn16m";

  /**
   * The option that enables all compilers, for programs that run for a long time or search for
   * races.
   */
  public static final String ALL_COMPILERS = "-XX:TieredStopAtLevel=4";

  /** Returns a program without additional JVM options. */
  public static ChildProgram of(Class<?> main, Object... arguments) {
    return new ChildProgram(
        main.getName(), List.of(), Arrays.stream(arguments).map(Object::toString).toList());
  }

  /** Copies the lists. */
  public ChildProgram {
    jvmOptions = List.copyOf(jvmOptions);
    arguments = List.copyOf(arguments);
  }

  /** Returns this program with the given JVM options instead of its current ones. */
  public ChildProgram withJvmOptions(String... options) {
    return new ChildProgram(main, List.of(options), arguments);
  }

  /** Returns the command line. */
  public List<String> command() {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("--enable-native-access=ALL-UNNAMED");
    command.add(QUICK_COMPILER);
    command.add(SMALL_YOUNG_GENERATION);
    command.addAll(LargePages.options());
    command.addAll(jvmOptions);
    command.addAll(StartCache.options());
    command.add(main);
    command.addAll(arguments);
    return command;
  }

  /** The exit code of a program, and the content of its log. */
  public record Ended(int exitCode, String output) {}

  /**
   * Runs the program to its end. Its standard input is empty.
   *
   * @param folder the working folder of the program
   * @param log the name of a file in this folder, to which standard output and standard error are
   *     appended
   * @return the exit code and the entire log
   * @throws AssertionError with the log if the program exceeds the time limit and is killed
   */
  public Ended run(Path folder, String log, Duration limit) throws InterruptedException {
    Path output = folder.resolve(log);
    try {
      Process process =
          new ProcessBuilder(command())
              .directory(folder.toFile())
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
              .start();
      try {
        process.getOutputStream().close();
        if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
          throw new AssertionError(
              "it does not end: limit="
                  + limit
                  + " program="
                  + this
                  + "\n"
                  + Files.readString(output));
        }
      } finally {
        process.destroyForcibly();
      }
      return new Ended(process.exitValue(), Files.readString(output));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
