package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Runs the batch scripts of {@code slurm} under a real Slurm with two nodes on this machine.
 * Skipped if {@code slurm/test-cluster} cannot create the cluster.
 */
class SlurmTest {
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

  /** Returns each launcher and each number of ranks per node; their product if thorough. */
  private static Stream<Arguments> launchers() {
    Stream<Arguments> some = Stream.of(Arguments.of("srun", 2), Arguments.of("mpirun", 1));
    Stream<Arguments> others = Stream.of(Arguments.of("srun", 1), Arguments.of("mpirun", 2));
    return Boolean.getBoolean("skerry.thorough") ? Stream.concat(some, others) : some;
  }

  @ParameterizedTest
  @MethodSource("launchers")
  void a_job_on_two_nodes_writes_the_same_content_as_a_local_run(String launcher, int perNode)
      throws Exception {
    String options = "--synthetic 16x96x128 --every 3 --batch 2";
    String out = launcher + perNode + ".h5";
    String job =
        cluster.submit(
            launcher,
            "--ntasks-per-node=" + perNode + " --cpus-per-task=1",
            "lcls-nodes.sbatch",
            options + " --json --out " + out);
    String said = cluster.completed(job);
    assertTrue(said.contains("{\"ranks\": " + 2 * perNode + ","), said);
    assertTrue(said.contains("\"verified\": true}"), said);
    String nodes = cluster.good("scontrol show job " + job);
    assertTrue(nodes.contains(" NodeList=n[1-2]\n"), nodes);
    cluster.check(out, options);
  }

  @Test
  void an_array_job_runs_one_task_per_line() throws Exception {
    Files.writeString(
        folder.resolve("runs.txt"),
        "--synthetic 4x96x96 --seed 5 --out one.h5\n--synthetic 4x96x96 --seed 6 --out two.h5\n");
    String job =
        cluster.submit(
            "srun",
            "--array=1-2 --ntasks-per-node=1 --cpus-per-task=1 --mem-per-cpu=500M --wait",
            "lcls-array.sbatch",
            "runs.txt --every 2");
    String accounted =
        cluster.good("sacct -c --noheader --parsable2 --format=State,ExitCode -j " + job);
    assertTrue(accounted.startsWith("COMPLETED|0:0"), accounted);
    cluster.check("one.h5", "--synthetic 4x96x96 --seed 5 --every 2");
    cluster.check("two.h5", "--synthetic 4x96x96 --seed 6 --every 2");
  }

  @Test
  void starting_a_running_cluster_leaves_it_running() throws Exception {
    try (Stream<String> lines = cluster.command("up").err().lines()) {
      assertTrue(lines.toList().getLast().startsWith("test-cluster: is up: "));
    }
    assertEquals(2, cluster.command("sideways").code());
  }
}
