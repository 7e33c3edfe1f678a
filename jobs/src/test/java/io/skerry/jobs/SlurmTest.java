package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Runs the batch scripts of {@code slurm} under a real Slurm with two nodes on this machine.
 * Skipped if {@code slurm/test-cluster} cannot create the cluster.
 */
class SlurmTest {
  private static final Pattern EXPORT = Pattern.compile("(\\w+)=(\\S+)");
  private static final Pattern SUBMITTED = Pattern.compile("(\\d+)\\R");
  private static final Pattern DONE = Pattern.compile("\"framesDone\": (\\d+),");

  private static final String LONG = "--synthetic 60x128x128 --batch 1 --every 20 --json";

  /** The folder of the cluster and of all outputs; kept after a failure. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static final Map<String, String> ENVIRONMENT = new HashMap<>(System.getenv());

  @BeforeAll
  static void start_the_cluster() throws Exception {
    ENVIRONMENT.keySet().removeIf(name -> name.matches("(OMPI_|PMIX?_|PRTE_|SLURM).*"));
    ENVIRONMENT.put("JAVA_HOME", System.getProperty("java.home"));
    ENVIRONMENT.put("SKERRY_NO_INSTALL", "1");
    Ran up = cluster("up");
    assumeTrue(up.code() != 2, () -> "skipped: no Slurm to test with: " + up.err());
    assertEquals(0, up.code(), up.err());
    Matcher exports = EXPORT.matcher(cluster("env").out());
    while (exports.find()) {
      ENVIRONMENT.put(exports.group(1), exports.group(2));
    }
    assertTrue(ENVIRONMENT.containsKey("SLURM_CONF"), "test-cluster env names no configuration");
  }

  @AfterAll
  static void stop_the_cluster_and_check_for_left_processes() throws Exception {
    Ran down = cluster("down");
    assertEquals(0, down.code(), down.err());
    String mark = "SKERRY_TEST_CLUSTER=" + folder;
    Ran left = shell("grep -lzsF '" + mark + "' /proc/[0-9]*/environ || true");
    assertEquals("", left.out(), "processes of the cluster");
    assertEquals(0, cluster("down").code());
  }

  private static Ran cluster(String command) throws IOException, InterruptedException {
    String script = Repository.root().resolve("slurm/test-cluster").toString();
    return Shell.run(folder, ENVIRONMENT, List.of(script, command, folder + "/c"));
  }

  private static Ran shell(String line) throws IOException, InterruptedException {
    return Shell.run(folder, ENVIRONMENT, List.of("bash", "-c", line));
  }

  private static String good(String line) throws IOException, InterruptedException {
    Ran ran = shell(line);
    assertEquals(0, ran.code(), line + ": " + ran.out() + ran.err());
    return ran.out();
  }

  /**
   * Submits a batch script and returns the job id. The output goes to a file named after the job.
   */
  private static String submit(String launcher, String sbatch, String script, String arguments)
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
  private static String completed(String job) throws IOException, InterruptedException {
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

  /** Runs the same job without Slurm and returns its output file. */
  private static Path plain(String name, String options) throws IOException, InterruptedException {
    Path out = folder.resolve(name);
    good(Repository.root() + "/skerry lcls " + options + " --force --out " + out);
    return out;
  }

  private static void sameAs(Path expected, Path out) throws IOException, InterruptedException {
    assertEquals(digest(expected), digest(out));
    String verified = good(Repository.root() + "/skerry verify " + out);
    assertEquals("clean", verified.lines().toList().getLast());
  }

  private static String digest(Path out) throws IOException, InterruptedException {
    return good(Repository.root() + "/skerry digest " + out);
  }

  @ParameterizedTest
  @CsvSource({"srun, 1", "srun, 2", "mpirun, 1", "mpirun, 2"})
  void a_job_on_two_nodes_writes_the_same_content_as_a_local_run(String launcher, int perNode)
      throws Exception {
    String options = "--synthetic 16x96x128 --every 3 --batch 2";
    String out = launcher + perNode + ".h5";
    String job =
        submit(
            launcher,
            "--ntasks-per-node=" + perNode + " --cpus-per-task=1",
            "lcls-nodes.sbatch",
            options + " --json --out " + out);
    String said = completed(job);
    assertTrue(said.contains("{\"ranks\": " + 2 * perNode + ","), said);
    assertTrue(said.contains("\"verified\": true}"), said);
    String nodes = good("scontrol show job " + job);
    assertTrue(nodes.contains(" NodeList=n[1-2]\n"), nodes);
    sameAs(plain("plain.h5", options), folder.resolve(out));
  }

  @Test
  void a_job_stopped_by_its_time_limit_is_resumed() throws Exception {
    String sbatch = "--nodes=2 --ntasks-per-node=1 --cpus-per-task=1";
    // Slurm checks time limits twice a minute, so the signal is sent 10 to 40 s after the start.
    String limit = sbatch + " --time=1 --signal=B:USR1@20";
    String job = submit("srun", limit, "lcls.sbatch", LONG + " --out limit.h5");
    String cut = heldUntilWarned(job, "limit.h5", () -> {});
    resumed(cut, "srun", sbatch, "limit.h5");
  }

  @Test
  void a_job_stopped_by_a_signal_is_resumed_on_another_number_of_ranks() throws Exception {
    String sbatch = "--nodes=2 --ntasks-per-node=2 --cpus-per-task=1 --mem-per-cpu=500M";
    String job = submit("mpirun", sbatch, "lcls.sbatch", LONG + " --out asked.h5");
    String cut =
        heldUntilWarned(job, "asked.h5", () -> good("scancel --signal=USR1 --batch " + job));
    resumed(cut, "mpirun", "--nodes=1 --ntasks-per-node=3 --cpus-per-task=1", "asked.h5");
  }

  private interface Step {
    void run() throws Exception;
  }

  /**
   * Stops the processes of a running job, like a hanging file system, until Slurm has signalled the
   * job. The signal therefore arrives before the end of the job on a machine of any speed.
   *
   * @return the output of the job
   */
  private static String heldUntilWarned(String job, String out, Step step) throws Exception {
    until(() -> Files.exists(folder.resolve(out + ".partial").resolve(out)));
    List<String> ranks =
        ProcessHandle.allProcesses()
            .filter(process -> process.info().command().orElse("").endsWith("/bin/java"))
            .filter(process ->
                process.info().arguments().stream()
                    .anyMatch(arguments -> List.of(arguments).contains(out)))
            .map(process -> "" + process.pid())
            .toList();
    assertFalse(ranks.isEmpty(), "no rank of the job is running: job=" + job);
    good("kill -STOP " + String.join(" ", ranks));
    try {
      step.run();
      until(() ->
          Files.readString(folder.resolve(job + ".out")).contains("slurm/ranks: asked to stop"));
    } finally {
      good("kill -CONT " + String.join(" ", ranks));
    }
    return completed(job);
  }

  private interface Question {
    boolean holds() throws IOException;
  }

  private static void until(Question question) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!question.holds()) {
      assertTrue(System.nanoTime() - start < 100e9, "waited in vain");
      Thread.sleep(5);
    }
  }

  /** Resumes an interrupted job and checks that the result equals that of an uninterrupted run. */
  private void resumed(String cut, String launcher, String sbatch, String out) throws Exception {
    Matcher done = DONE.matcher(cut);
    assertTrue(cut.contains("\"interrupted\": true,") && done.find(), cut);
    assertTrue(cut.contains("the same command with --resume continues"), cut);
    assertFalse(Files.exists(folder.resolve(out)));
    String whole =
        completed(submit(launcher, sbatch, "lcls.sbatch", LONG + " --resume --out " + out));
    String resumed = "\"resumedFrom\": " + done.group(1) + ", \"verified\": true}";
    assertTrue(whole.contains(resumed), cut + whole);
    sameAs(plain("uncut.h5", LONG), folder.resolve(out));
  }

  @Test
  void an_array_job_runs_one_task_per_line() throws Exception {
    Files.writeString(
        folder.resolve("runs.txt"),
        "--synthetic 4x96x96 --seed 5 --out one.h5\n--synthetic 4x96x96 --seed 6 --out two.h5\n");
    String job =
        submit(
            "srun",
            "--array=1-2 --ntasks-per-node=1 --cpus-per-task=1 --mem-per-cpu=500M --wait",
            "lcls-array.sbatch",
            "runs.txt --every 2");
    String accounted = good("sacct -c --noheader --parsable2 --format=State,ExitCode -j " + job);
    assertTrue(accounted.startsWith("COMPLETED|0:0"), accounted);
    sameAs(plain("5.h5", "--synthetic 4x96x96 --seed 5 --every 2"), folder.resolve("one.h5"));
    sameAs(plain("6.h5", "--synthetic 4x96x96 --seed 6 --every 2"), folder.resolve("two.h5"));
  }

  @Test
  void starting_a_running_cluster_leaves_it_running() throws Exception {
    try (Stream<String> lines = cluster("up").err().lines()) {
      assertTrue(lines.toList().getLast().startsWith("test-cluster: is up: "));
    }
    assertEquals(2, cluster("sideways").code());
  }
}
