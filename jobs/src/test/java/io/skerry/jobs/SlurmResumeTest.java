package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Stops and resumes jobs under a real Slurm with two nodes on this machine. Skipped if {@code
 * slurm/test-cluster} cannot create the cluster.
 */
class SlurmResumeTest {
  private static final Pattern DONE = Pattern.compile("\"framesDone\": (\\d+),");

  /** The job does not end before its processes are found and stopped after its first batch. */
  private static final String LONG =
      (Boolean.getBoolean("skerry.thorough") ? "--synthetic 60x128x128" : "--synthetic 30x128x128")
          + " --batch 1 --every 20";

  /** The folder of the cluster and of all outputs; kept after a failure. */
  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private static Path folder;

  private static SlurmCluster cluster;

  @BeforeAll
  static void start_the_cluster() throws Exception {
    cluster = SlurmCluster.in(folder);
    cluster.start();
  }

  @AfterAll
  static void stop_the_cluster_and_check_for_left_processes() throws Exception {
    cluster.stop();
  }

  private static String submit(String launcher, String sbatch, String arguments) throws Exception {
    return cluster.submit(launcher, sbatch, "lcls.sbatch", LONG + " --json " + arguments);
  }

  @Test
  void a_job_stopped_by_its_time_limit_is_resumed() throws Exception {
    String sbatch = "--nodes=2 --ntasks-per-node=1 --cpus-per-task=1";
    // Slurm checks time limits twice a minute, so the signal is sent 10 to 40 s after the start.
    String limit = sbatch + " --time=1 --signal=B:USR1@20";
    String job = submit("srun", limit, "--out limit.h5");
    String cut = heldUntilWarned(job, "limit.h5", () -> {});
    resumed(cut, "srun", sbatch, "limit.h5");
  }

  @Test
  void a_job_stopped_by_a_signal_is_resumed_on_another_number_of_ranks() throws Exception {
    String sbatch = "--nodes=2 --ntasks-per-node=2 --cpus-per-task=1 --mem-per-cpu=500M";
    String job = submit("mpirun", sbatch, "--out asked.h5");
    String cut =
        heldUntilWarned(
            job, "asked.h5", () -> cluster.good("scancel --signal=USR1 --batch " + job));
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
    until(5, () -> Files.exists(folder.resolve(out + ".partial").resolve(out)));
    List<String> ranks =
        ProcessHandle.allProcesses()
            .filter(process -> process.info().command().orElse("").endsWith("/bin/java"))
            .filter(process ->
                process.info().arguments().stream()
                    .anyMatch(arguments -> List.of(arguments).contains(out)))
            .map(process -> "" + process.pid())
            .toList();
    assertFalse(ranks.isEmpty(), "no rank of the job is running: job=" + job);
    Path log = folder.resolve(job + ".out");
    cluster.good("kill -STOP " + String.join(" ", ranks));
    try {
      step.run();
      until(100, () -> Files.readString(log).contains("slurm/ranks: asked to stop"));
    } finally {
      cluster.good("kill -CONT " + String.join(" ", ranks));
    }
    return cluster.completed(job);
  }

  private interface Question {
    boolean holds() throws IOException;
  }

  private static void until(int pauseMillis, Question question)
      throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (!question.holds()) {
      assertTrue(System.nanoTime() - start < 100e9, "waited in vain");
      Thread.sleep(pauseMillis);
    }
  }

  /** Resumes an interrupted job and checks that the result equals that of an uninterrupted run. */
  private static void resumed(String cut, String launcher, String sbatch, String out)
      throws Exception {
    Matcher done = DONE.matcher(cut);
    assertTrue(cut.contains("\"interrupted\": true,") && done.find(), cut);
    assertTrue(cut.contains("the same command with --resume continues"), cut);
    assertFalse(Files.exists(folder.resolve(out)));
    String whole = cluster.completed(submit(launcher, sbatch, "--resume --out " + out));
    String resumed = "\"resumedFrom\": " + done.group(1) + ", \"verified\": true}";
    assertTrue(whole.contains(resumed), cut + whole);
    cluster.check(out, LONG);
  }
}
