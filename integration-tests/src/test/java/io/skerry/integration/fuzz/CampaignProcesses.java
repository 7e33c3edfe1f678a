package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/**
 * Runs equal shares of the cases of a field campaign in processes with a heap of 512 MiB each.
 *
 * @param name a part of the names of the progress files and output files
 * @param first the number of the first case
 * @param cases the number of cases
 * @param outputs the folder for the outputs of the processes
 */
record CampaignProcesses(String name, long first, long cases, Path outputs) {
  private static final int PROCESSES = 2;
  private static final int DOES_NOT_END = 3;

  /**
   * Runs the cases. Fails if a case has a defect or does not end.
   *
   * @param seeds writes the valid files to a folder
   */
  void run(Consumer<Path> seeds) throws Exception {
    List<Future<Ran>> shares = new ArrayList<>();
    try (ExecutorService processes = Executors.newFixedThreadPool(PROCESSES)) {
      for (int process = 0; process < PROCESSES; process++) {
        int share = process;
        shares.add(processes.submit(() -> run(share, seeds)));
      }
    }
    List<String> lines = new ArrayList<>();
    List<Integer> codes = new ArrayList<>();
    for (Future<Ran> share : shares) {
      lines.addAll(share.get().lines);
      codes.add(share.get().code);
      System.out.println(lines.getLast());
    }
    // The message contains the defects of all processes.
    String said = String.join("\n", lines);
    assertTrue(lines.stream().noneMatch(line -> line.contains("does not end")), said);
    assertEquals(Collections.nCopies(PROCESSES, 0), codes, said);
  }

  /**
   * The end of a share.
   *
   * @param code the exit code of the last process
   * @param lines the output of all processes that ran the share
   */
  private record Ran(int code, List<String> lines) {}

  /** Runs a share of the cases. */
  private Ran run(int share, Consumer<Path> seeds) throws Exception {
    Path folder = folder();
    seeds.accept(folder);
    Path progress =
        Path.of(
            System.getProperty("skerry.fuzz.progress", folder.resolve("progress").toString())
                + name
                + "-"
                + share);
    long from = first + share * cases / PROCESSES;
    long end = first + (share + 1) * cases / PROCESSES;
    String output = "cases" + name + "-" + share + ".txt";
    int code;
    List<String> lines = new ArrayList<>();
    do {
      code =
          ChildProgram.of(
                  FieldCampaignMain.class, folder, from, end - from, progress.toAbsolutePath())
              .withJvmOptions("-Xmx512m", "-Xmn32m", "-XX:+UseSerialGC", compilers())
              .run(outputs, output, Duration.ofSeconds(300 + cases / 10))
              .exitCode();
      lines.addAll(Files.readAllLines(outputs.resolve(output)));
    } while (code == DOES_NOT_END);
    return new Ran(code, lines);
  }

  /** Returns the option for the compilers that take the least processor time for the cases. */
  private String compilers() {
    return cases > 100_000 ? ChildProgram.ALL_COMPILERS : ChildProgram.QUICK_COMPILER;
  }

  /** Returns a new folder, in {@code /dev/shm} if that is writable. */
  private Path folder() throws IOException {
    Path memory = Path.of("/dev/shm");
    if (!Files.isWritable(memory)) {
      return Files.createTempDirectory(outputs, "cases");
    }
    Path folder = Files.createTempDirectory(memory, "skerry-fuzz");
    Runtime.getRuntime().addShutdownHook(new Thread(() -> CaseActions.delete(folder)));
    return folder;
  }
}
