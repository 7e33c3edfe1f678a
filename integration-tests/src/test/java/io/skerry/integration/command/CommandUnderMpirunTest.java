package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.integration.SharedData;
import io.skerry.selection.Selection;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the results of the {@code ./skerry} command with processes as ranks. */
class CommandUnderMpirunTest extends ProcessCommands {
  @Test
  void processes_and_threads_store_the_same_and_h5dump_reads_the_main_file_of_a_split_run()
      throws Exception {
    Ran ran =
        skerry("lcls --ranks 3 --synthetic 7x96x96 --every 2 --split --json --out p.h5".split(" "));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().startsWith("{\"ranks\": 3, "), ran.out());
    assertTrue(ran.out().endsWith("\"verified\": true}\n"), ran.out());
    Ran threads = skerry("lcls --synthetic 7x96x96 --every 2 --split --json --out t.h5".split(" "));
    assertEquals(0, threads.code(), threads.err());
    assertEquals(Set.of("p.h5", "p.events.h5", "t.h5", "t.events.h5"), files());
    String[] forms = {"--count", "--coordinates"};
    for (String form : forms) {
      String defined = inProcess("defined", "./p.h5", "/entry/events", form);
      assertTrue(defined.length() > 1);
      assertEquals(defined, inProcess("defined", "./t.h5", "/entry/events", form));
    }
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/h5dump")), "h5dump is absent: skipped");
    Ran dump = command("/usr/bin/h5dump", "p.h5");
    assertEquals(0, dump.code(), dump.err());
    assertEquals("", dump.err());
    assertTrue(dump.out().contains("EXTERNAL_LINK \"events\""), "no external link shown");
    assertTrue(dump.out().contains("DATASET \"full_index\""), "no full_index shown");
  }

  @Test
  void one_file_per_process_has_the_digest_of_a_single_file() throws Exception {
    String frames = "lcls --synthetic 7x96x96 --every 2 --batch 1";
    String unused = inProcess((frames + " --no-progress --out ./single.h5").split(" "));
    Ran ran = skerry((frames + " --ranks 3 --files-per-rank --json --out p.h5").split(" "));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().endsWith("\"rankFiles\": 3, \"verified\": true}\n"), ran.out());
    assertEquals(Set.of("single.h5", "p.h5", "p.0.h5", "p.1.h5", "p.2.h5"), files());
    assertEquals(inProcess("digest", "./single.h5"), inProcess("digest", "./p.h5"));
  }

  @Test
  void frames_of_a_detector_are_verified_on_four_processes() throws Exception {
    Path cspad = SharedData.require("detector/cspad_thermolysin.h5");
    Ran ran =
        skerry(
            "lcls",
            "--ranks",
            "4",
            "--input",
            cspad + ":/entry/data/images",
            "--every",
            "2",
            "--json",
            "--out",
            "c.h5");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().endsWith("\"verified\": true}\n"), ran.out());
  }

  @Test
  void three_processes_and_one_without_native_libraries_find_the_same_components()
      throws Exception {
    String unused = inProcess("lcls --synthetic 9x32x40 --no-progress --out ./in.h5".split(" "));
    String[] line = "pca in.h5:/entry/events --ranks 3 --json --out p.h5 --png p.png".split(" ");
    Ran ran = skerry(line);
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.err());
    assertTrue(ran.out().contains("\"ranks\": 3, \"frames\": 9, "), ran.out());
    more.put(
        "SKERRY_JAVA_OPTS",
        "-Ddev.ludovic.netlib.blas.allowNative=false"
            + " -Ddev.ludovic.netlib.lapack.allowNative=false");
    Ran java = skerry("pca", "in.h5:/entry/events", "--json", "--out", "j.h5");
    assertEquals(0, java.code(), java.err());
    assertEquals("", java.err());
    assertTrue(java.out().contains(".F2jLAPACK\""), java.out());
    assertEquals(Set.of("in.h5", "p.h5", "p.png", "j.h5"), files());
    try (H5File three = H5File.open(folder.resolve("p.h5"));
        H5File one = H5File.open(folder.resolve("j.h5"))) {
      for (String path : List.of("/components", "/scores", "/explained_variance", "/mean")) {
        double[] expected = one.dataset(path).readDoubles(Selection.all());
        double largest = Arrays.stream(expected).map(Math::abs).max().orElse(0);
        assertTrue(largest > 0, path);
        assertArrayEquals(
            expected, three.dataset(path).readDoubles(Selection.all()), 1e-9 * largest, path);
      }
    }
    more.clear();
    Ran refused = skerry("pca in.h5:/entry/events --ranks 3 --components 10 --out x.h5".split(" "));
    assertEquals(1, refused.code());
    assertEquals(
        "skerry: more components than frames or pixels: components=10 frames=9 pixels=1280\n",
        refused.err());
    assertEquals(Set.of("in.h5", "p.h5", "p.png", "j.h5"), files());
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/h5dump")), "h5dump is absent: skipped");
    Ran dump = command("/usr/bin/h5dump", "p.h5");
    assertEquals(0, dump.code(), dump.err());
    assertTrue(dump.out().contains("DATASET \"explained_variance_ratio\""), "no ratios shown");
  }
}
