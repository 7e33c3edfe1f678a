package io.skerry.integration.crash;

import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.launch.MpirunLauncher;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Runs programs under {@code strace}. */
final class TracedRun {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  private TracedRun() {}

  /** Returns whether {@code strace} is installed and may trace processes. */
  static boolean isPossible() throws InterruptedException {
    try {
      Path log = Files.createTempFile("strace", ".log");
      List<String> command = new ArrayList<>(List.of("strace", "-o", log.toString()));
      command.addAll(SystemCalls.OPTIONS);
      command.add("true");
      int code = new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
      Files.delete(log);
      return code == 0;
    } catch (IOException e) {
      return false;
    }
  }

  /**
   * Runs a program with threads as ranks, or with processes if {@code mpirun} is present, and
   * returns its operations.
   *
   * @param folder an empty folder
   */
  static List<DiskOperation> of(
      CrashProgram program, int ranks, Optional<MpirunLauncher> mpirun, Path folder)
      throws IOException, InterruptedException {
    Path files = Files.createDirectory(folder.resolve("files"));
    List<String> arguments =
        List.of(
            files.toString(),
            Long.toString(program.seed()),
            Integer.toString(mpirun.isPresent() ? 0 : ranks));
    ProcessBuilder builder =
        mpirun.isPresent()
            ? mpirun
                .get()
                .withLimit(LIMIT)
                .prepared(ranks, CrashWriter.class.getName(), arguments.toArray(String[]::new))
            : new ProcessBuilder(alone(ChildProgram.of(CrashWriter.class, arguments.toArray())));
    return traced(builder, files, folder);
  }

  /**
   * Runs any program and returns its operations on the files of a folder.
   *
   * @param files the folder, empty at the start
   * @param folder folder for the logs of {@code strace} and of the program
   */
  static List<DiskOperation> traced(ProcessBuilder builder, Path files, Path folder)
      throws IOException, InterruptedException {
    Path log = folder.resolve("strace.log");
    List<String> command = new ArrayList<>(List.of("strace", "-o", log.toString()));
    command.addAll(SystemCalls.OPTIONS);
    command.addAll(builder.command());
    Path out = folder.resolve("out");
    Process process =
        builder.command(command).redirectErrorStream(true).redirectOutput(out.toFile()).start();
    process.getOutputStream().close();
    boolean ended = process.waitFor(LIMIT.toSeconds() + 10, TimeUnit.SECONDS);
    process.destroyForcibly();
    if (!ended || process.exitValue() != 0) {
      throw new AssertionError(
          "the program failed: command=" + command + "\n" + Files.readString(out));
    }
    return SystemCalls.of(log, files, CrashWriter.MARKS);
  }

  /** Returns the command that runs a program in one JVM. */
  static List<String> alone(ChildProgram program) {
    return program.withJvmOptions("-XX:+UseSerialGC").command();
  }
}
