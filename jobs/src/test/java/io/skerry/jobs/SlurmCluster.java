package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A real Slurm with two nodes on this machine, started by {@code slurm/test-cluster}, and the batch
 * jobs that run on it.
 *
 * @param folder the folder of the cluster and of all outputs
 * @param environment the variables of all commands; the start of the cluster adds some
 */
record SlurmCluster(Path folder, Map<String, String> environment) {
  private static final Pattern EXPORT = Pattern.compile("(\\w+)=(\\S+)");
  private static final Pattern SUBMITTED = Pattern.compile("(\\d+)\\R");

  /** Returns the cluster in a folder, not yet started. */
  static SlurmCluster in(Path folder) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.keySet().removeIf(name -> name.matches("(OMPI_|PMIX?_|PRTE_|SLURM).*"));
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("SKERRY_NO_INSTALL", "1");
    return new SlurmCluster(folder, environment);
  }

  /** Starts the cluster; the calling test is skipped if the cluster cannot be created. */
  void start() throws IOException, InterruptedException {
    Ran up = command("up");
    assumeTrue(up.code() != 2, () -> "skipped: no Slurm to test with: " + up.err());
    assertEquals(0, up.code(), up.err());
    Matcher exports = EXPORT.matcher(command("env").out());
    while (exports.find()) {
      environment.put(exports.group(1), exports.group(2));
    }
    assertTrue(environment.containsKey("SLURM_CONF"), "test-cluster env names no configuration");
  }

  /** Stops the cluster and checks that no process of it is left. */
  void stop() throws IOException, InterruptedException {
    Ran down = command("down");
    assertEquals(0, down.code(), down.err());
    String mark = "SKERRY_TEST_CLUSTER=" + folder;
    Ran left = shell("grep -lzsF '" + mark + "' /proc/[0-9]*/environ || true");
    assertEquals("", left.out(), "processes of the cluster");
    assertEquals(0, command("down").code());
  }

  /** Runs a command of {@code slurm/test-cluster}. */
  Ran command(String command) throws IOException, InterruptedException {
    String script = Repository.root().resolve("slurm/test-cluster").toString();
    return Shell.run(folder, environment, List.of(script, command, folder + "/c"));
  }

  private Ran shell(String line) throws IOException, InterruptedException {
    return Shell.run(folder, environment, List.of("bash", "-c", line));
  }

  /** Runs a command line that succeeds, and returns its output. */
  String good(String line) throws IOException, InterruptedException {
    Ran ran = shell(line);
    assertEquals(0, ran.code(), line + ": " + ran.out() + ran.err());
    return ran.out();
  }

  /**
   * Submits a batch script and returns the job id. The output goes to a file named after the job.
   */
  String submit(String launcher, String sbatch, String script, String arguments)
      throws IOException, InterruptedException {
    Path root = Repository.root();
    String line =
        "SKERRY_HOME=%s SKERRY_LAUNCHER=%s sbatch --parsable --output=%%A.out %s %s/slurm/%s %s"
            .formatted(root, launcher, sbatch, root, script, arguments);
    Matcher id = SUBMITTED.matcher(good(line));
    assertTrue(id.matches(), line);
    return id.group(1);
  }

  /** Waits for the end of a job, checks that it succeeded, and returns its output. */
  String completed(String job) throws IOException, InterruptedException {
    while (!good("squeue --noheader --job=" + job + " 2>/dev/null || true").isBlank()) {
      Thread.sleep(200);
    }
    String output = Files.readString(folder.resolve(job + ".out"));
    String shown = good("scontrol show job " + job);
    assertTrue(shown.contains("JobState=COMPLETED"), shown + output);
    assertTrue(shown.contains(" ExitCode=0:0"), shown + output);
    String accounted = "";
    for (int i = 0; i < 50 && accounted.isBlank(); i++) {
      accounted = good("sacct -c --noheader --parsable2 --format=State,ExitCode --jobs=" + job);
      Thread.sleep(accounted.isBlank() ? 100 : 0);
    }
    assertEquals("COMPLETED|0:0", accounted.strip(), output);
    print(job, shown);
    return output;
  }

  /** Prints the main properties of a job to the log of the tests. */
  private static void print(String job, String shown) {
    List<String> facts =
        Pattern.compile(
                "(?<!\\S)(JobName|JobState|ExitCode|RunTime|TimeLimit|NodeList|NumTasks)=\\S+")
            .matcher(shown)
            .results()
            .map(fact -> fact.group())
            .toList();
    System.out.println("slurm job " + job + ": " + String.join(" ", facts));
  }

  /** Checks that an output is sound, and that it equals that of a run without Slurm. */
  void check(String out, String options) throws IOException, InterruptedException {
    Path local = folder.resolve("local.h5");
    // The output names the version of the jar, so this run must use the jar too.
    good(Repository.root() + "/skerry lcls " + options + " --force --out " + local);
    Path file = folder.resolve(out);
    assertEquals(InProcess.good("digest", local).out(), InProcess.good("digest", file).out());
    String verified = InProcess.good("verify", file).out();
    assertEquals("clean", verified.lines().toList().getLast());
  }
}
