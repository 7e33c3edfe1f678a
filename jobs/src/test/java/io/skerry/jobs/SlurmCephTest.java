package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.skerry.testkit.launch.CephCluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs a batch script under a real Slurm with two nodes, whose ranks write to a real Ceph cluster;
 * skipped if one of them cannot be created.
 */
@EnabledIfSystemProperty(named = "skerry.ceph", matches = "true")
class SlurmCephTest {
  private static final String OPTIONS = "--synthetic 16x96x128 --every 3 --batch 2";

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  private Path folder;

  @Test
  void a_job_on_two_nodes_stores_the_same_content_in_a_ceph_cluster() throws Exception {
    SlurmCluster slurm = SlurmCluster.in(folder);
    slurm.start();
    try (CephCluster ceph = ceph()) {
      // All ranks compute, or the last one only serves.
      for (String serving : new String[] {"", " --io-ranks 1"}) {
        String out = "iod+rados://skerry/run" + serving.length() + ceph.options();
        String job =
            slurm.submit(
                "srun",
                "--ntasks-per-node=2 --cpus-per-task=1",
                "lcls-nodes.sbatch",
                OPTIONS + serving + " --json --out '" + out + "'");
        String said = slurm.completed(job);
        assertTrue(said.contains("{\"ranks\": " + (serving.isEmpty() ? 4 : 3) + ","), said);
        assertTrue(said.contains("\"verified\": true}"), said);
        String nodes = slurm.good("scontrol show job " + job);
        assertTrue(nodes.contains(" NodeList=n[1-2]\n"), nodes);
        // The output names the version of the jar, so this run must use the jar too.
        String skerry = Repository.root() + "/skerry ";
        String unused = slurm.good(skerry + "lcls " + OPTIONS + " --force --out local.h5");
        assertEquals(
            slurm.good(skerry + "digest local.h5"), slurm.good(skerry + "digest '" + out + "'"));
        assertTrue(slurm.good(skerry + "verify '" + out + "'").endsWith("clean\n"));
      }
    } finally {
      slurm.stop();
    }
  }

  private static CephCluster ceph() {
    try {
      return CephCluster.start();
    } catch (CephCluster.MissingException e) {
      return abort("skipped: NO CEPH CLUSTER TO TEST WITH: " + e.getMessage());
    }
  }
}
