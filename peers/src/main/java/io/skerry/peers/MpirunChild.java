package io.skerry.peers;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Runs programs on several ranks under {@code mpirun}. */
final class MpirunChild {
  private MpirunChild() {}

  /** Returns the command that runs a Python script with the parallel HDF5 library. */
  static List<String> python(String script) {
    return List.of(
        Optional.ofNullable(System.getenv("SKERRY_MPI_PYTHON")).orElse("/usr/bin/python3"), script);
  }

  /** Returns the command that runs a main class with the JVM and the class path of this process. */
  static List<String> java(Class<?> program) {
    return List.of(
        ProcessHandle.current().info().command().orElse("java"),
        "--enable-native-access=ALL-UNNAMED",
        "-cp",
        System.getProperty("java.class.path"),
        program.getName());
  }

  /**
   * Returns the command that runs a main class on ranks that share this machine. The JVM options
   * are those that {@code ./skerry} uses for such ranks: each JVM uses its share of the processors
   * and of the memory.
   */
  static List<String> java(Class<?> program, int ranks) {
    List<String> command = new ArrayList<>(java(program));
    int processors = Math.max(1, Runtime.getRuntime().availableProcessors() / ranks);
    long memory =
        ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getTotalMemorySize();
    command.addAll(
        1,
        List.of(
            "-XX:ActiveProcessorCount=" + processors,
            "-Xmx" + Math.max(64, (memory >> 20) * 2 / 5 / ranks) + "m"));
    return command;
  }

  /**
   * Runs a program.
   *
   * @param settings the environment variables of the ranks
   * @return the fields of each line that the ranks print
   */
  static List<String[]> lines(int ranks, List<String> program, Map<String, String> settings)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of("mpirun", "-n", Integer.toString(ranks)));
    command.addAll(List.of("--oversubscribe", "--bind-to", "none", "--quiet", "env"));
    command.addAll(program);
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
    Map<String, String> environment = builder.environment();
    environment.put("OMPI_ALLOW_RUN_AS_ROOT", "1");
    environment.put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
    environment.putAll(settings);
    Process process = builder.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new IllegalStateException("failed: command=" + command + " said=" + printed);
    }
    return printed.lines().map(line -> line.split(" ")).toList();
  }
}
