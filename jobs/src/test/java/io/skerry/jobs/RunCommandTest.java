package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import java.nio.file.Files;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests {@code skerry run}, which runs main classes of the user. */
class RunCommandTest extends FakeCheckout {
  @Test
  void a_main_class_of_the_user_runs_under_the_same_launcher() throws Exception {
    mpirun();
    Files.createDirectories(folder.resolve("my classes"));
    Files.writeString(folder.resolve("my.jar"), "");
    Ran ran =
        skerry("run", "-n", "3", "-Dx=y", "-cp", "my.jar:my classes", "my.Main", "-n", "in put");
    assertEquals(7, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("mpirun -n 3 "), ran.out());
    assertTrue(ran.out().contains(" env " + folder + "/jdk/bin/java "), ran.out());
    assertTrue(
        ran.out()
            .contains(
                " -Dx=y -cp "
                    + folder
                    + "/jobs/target/skerry.jar:my.jar:my classes my.Main -n in put\n"),
        ran.out());
    Ran one = skerry("run", "my.Main");
    assertTrue(one.out().startsWith("java "), one.out());
    assertTrue(one.out().endsWith(" -cp " + folder + "/jobs/target/skerry.jar my.Main\n"));
  }

  @Test
  void a_main_class_that_cannot_run_is_refused_with_one_line() throws Exception {
    String hint = "skerry: Try './skerry run --help'.\n";
    Map<String, String> said =
        Map.of(
            "run", "which main class? for instance: ./skerry run -n 4 -cp my.jar my.Main",
            "run -n", "an option lacks its value: option=-n",
            "run -n 0 my.Main", "not a number of ranks: --ranks=0",
            "run --what my.Main", "unknown option: --what",
            "run -cp no.jar my.Main", "no such jar or folder: -cp no.jar",
            "run --mpi threads my.Main", "a main class of yours runs in processes: --mpi=threads");
    for (var each : said.entrySet()) {
      Ran ran = skerry(each.getKey().split(" "));
      assertEquals(2, ran.code(), each.getKey());
      assertEquals("skerry: " + each.getValue() + "\n" + hint, ran.err());
    }
    Ran alone = skerry("run", "-n", "2", "my.Main");
    assertEquals(2, alone.code());
    assertEquals(
        "skerry: Open MPI (mpirun) is missing and SKERRY_NO_INSTALL=1 forbids installing it:"
            + " 2 ranks of a program of yours need it\n",
        alone.err());
    assertTrue(skerry("run", "--help").out().startsWith("Usage: ./skerry run "));
  }
}
