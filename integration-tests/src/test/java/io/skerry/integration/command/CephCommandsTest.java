package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import io.skerry.testkit.launch.CephCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Runs commands on containers in a real Ceph cluster; skipped if Ceph cannot be installed. */
@EnabledIfSystemProperty(named = "skerry.ceph", matches = "true")
class CephCommandsTest extends ProcessCommands {
  private CephCluster cluster = new CephCluster(Path.of(""));

  @BeforeEach
  void start() {
    try {
      cluster = CephCluster.start();
    } catch (CephCluster.MissingException e) {
      abort("skipped: NO CEPH CLUSTER TO TEST WITH: " + e.getMessage());
    }
  }

  @AfterEach
  void stop() {
    if (!cluster.folder().toString().isEmpty()) {
      cluster.close();
    }
  }

  private String location(String name) {
    return "iod+rados://skerry/" + name + cluster.options();
  }

  private String good(String... line) throws Exception {
    Ran ran = skerry(line);
    assertEquals(0, ran.code(), () -> String.join(" ", line) + ": " + ran.err());
    return ran.out();
  }

  @Test
  void a_detector_run_has_the_digest_of_the_hdf5_file_on_any_number_of_ranks() throws Exception {
    String[] run = {"lcls", "--synthetic", "6x64x64", "--batch", "2", "--no-progress"};
    String expected = digestOf(run, "1", "frames.h5");
    for (String ranks : new String[] {"1", "2", "4"}) {
      assertEquals(expected, digestOf(run, ranks, location("frames" + ranks)), ranks + " ranks");
      assertFalse(Files.exists(folder.resolve("frames" + ranks + ".partial")));
    }
    String back = folder.resolve("back.h5").toString();
    String stored = good("repack", location("frames2"), back);
    assertEquals(expected, good("digest", back), stored);
    assertTrue(good("verify", location("frames4")).endsWith("clean\n"));
    assertTrue(good("iod", "dump", location("frames4")).startsWith("CONTAINER transaction "));
    Ran taken = skerry("repack", back, location("frames1"));
    assertEquals(1, taken.code());
    assertTrue(taken.err().contains("--force"), taken.err());
    String replaced = good("repack", "--force", back, location("frames1"));
    assertEquals(expected, good("digest", location("frames1")), replaced);
  }

  private String digestOf(String[] run, String ranks, String out) throws Exception {
    String[] line = Arrays.copyOf(run, run.length + 4);
    line[run.length] = "--ranks";
    line[run.length + 1] = ranks;
    line[run.length + 2] = "--out";
    line[run.length + 3] = out;
    String unused = good(line);
    return good("digest", out);
  }
}
