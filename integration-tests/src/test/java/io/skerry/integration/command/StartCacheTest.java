package io.skerry.integration.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.launch.MpirunLauncher;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests that programs of tests load the classes of jars from an AOT cache. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class StartCacheTest {
  private static final String PROGRAM = "io.skerry.testkit.launch.StartTraining";
  private static final String PRINT_LOADED = "-Xlog:class+load";
  private static final String FROM_CACHE = "io.skerry.H5File source: shared objects file";

  @TempDir private Path folder;

  @BeforeEach
  void wait_for_the_cache() throws Exception {
    Path testkit =
        Path.of(ChildProgram.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    assumeTrue(Boolean.getBoolean("skerry.test.cache"), "skipped: skerry.test.cache is not true");
    assumeTrue(Files.isRegularFile(testkit), "skipped: testkit is no jar, but " + testkit);
    // Another process may be recording it.
    while (program().command().stream().noneMatch(word -> word.startsWith("-XX:AOTCache="))) {
      Thread.sleep(200);
    }
  }

  private ChildProgram program() {
    String file = folder.resolve("written.h5").toString();
    return new ChildProgram(PROGRAM, List.of(PRINT_LOADED), List.of(file));
  }

  @Test
  void a_child_process_uses_the_cache() throws Exception {
    ChildProgram.Ended ended = program().run(folder, "out.txt", Duration.ofMinutes(1));
    assertEquals(0, ended.exitCode(), ended.output());
    assertTrue(ended.output().contains(FROM_CACHE), ended.output());
  }

  @Test
  void a_rank_under_mpirun_uses_the_cache() throws Exception {
    Optional<MpirunLauncher> mpirun = MpirunLauncher.find();
    assumeTrue(mpirun.isPresent(), "no mpirun on the path");
    String file = folder.resolve("written.h5").toString();
    MpirunLauncher.Outcome outcome = mpirun.get().withJvmOption(PRINT_LOADED).run(1, PROGRAM, file);
    assertEquals(0, outcome.exitCode(), outcome.output());
    assertTrue(outcome.output().contains(FROM_CACHE), outcome.output());
  }
}
