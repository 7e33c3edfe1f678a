package io.skerry.integration.crash;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.Verification;
import io.skerry.jobs.Skerry;
import io.skerry.recovery.FileRecovery;
import io.skerry.testkit.launch.ChildProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests crashes of a job that moves its output into place when it is complete. */
class UnfinishedOutputTest {
  private static final String OUT = "hits.h5";

  @TempDir Path folder;

  @Test
  void a_moved_output_is_complete_and_an_unfinished_output_holds_whole_batches() throws Exception {
    assumeTrue(TracedRun.isPossible(), "no strace here");
    Path files = Files.createDirectory(folder.resolve("files"));
    List<String> arguments =
        List.of("lcls", "--synthetic", "8x32x32", "--batch", "2", "--no-progress", "--out");
    List<String> all = new ArrayList<>(arguments);
    all.add(files.resolve(OUT).toString());
    List<DiskOperation> operations =
        TracedRun.traced(
            new ProcessBuilder(TracedRun.alone(ChildProgram.of(Skerry.class, all.toArray()))),
            files,
            folder);
    byte[] complete = Files.readAllBytes(files.resolve(OUT));
    List<CrashStates.Crashed> states = CrashStates.of(operations, 0, 8, 1);
    Map<String, Integer> found = new TreeMap<>();
    Set<Long> batches = new TreeSet<>();
    for (CrashStates.Crashed crashed : states) {
      for (Map.Entry<String, byte[]> entry : crashed.state().files().entrySet()) {
        if (entry.getKey().equals(OUT)) {
          assertArrayEquals(complete, entry.getValue(), "moved before it was on disk");
          found.merge("complete", 1, Integer::sum);
        } else if (entry.getKey().endsWith("/" + OUT)) {
          boolean begun = unfinished(entry.getKey(), crashed.state(), batches);
          found.merge(begun ? "unfinished" : "before the first flush", 1, Integer::sum);
        }
      }
    }
    System.out.println("states=" + states.size() + " " + found + " frames=" + batches);
    assertTrue(found.containsKey("complete") && found.containsKey("unfinished"), found.toString());
    assertEquals(Set.of(2L, 4L, 6L, 8L), batches);
  }

  /** Recovers a file and returns whether it contains its first flush. */
  private boolean unfinished(String name, DiskState state, Set<Long> batches) throws IOException {
    Path file = folder.resolve(OUT);
    Path journal = folder.resolve(OUT + ".journal");
    Files.write(file, state.files().get(name));
    Files.deleteIfExists(journal);
    if (state.files().containsKey(name + ".journal")) {
      Files.write(journal, state.files().get(name + ".journal"));
    }
    var unused = FileRecovery.recover(file);
    byte[] bytes = Files.readAllBytes(file);
    if (bytes.length < 8 || bytes[1] != 'H') {
      return false;
    }
    List<Verification.Finding> findings = new ArrayList<>();
    var _ = Verification.of(file, findings::add);
    assertEquals(List.of(), findings);
    try (H5File opened = H5File.open(file)) {
      opened
          .dataset("/entry/spot_counts")
          .attribute("frames_done")
          .ifPresentOrElse(done -> batches.add(done.longs()[0]), () -> batches.add(0L));
    }
    return true;
  }
}
