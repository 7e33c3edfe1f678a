package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Tests the script {@code skerry} in a separate folder. The JDK, Maven and mpirun are fakes that
 * print how they were called; the search path contains only the tools that the script requires.
 */
class LauncherTest extends FakeCheckout {
  @Test
  void one_rank_starts_one_jvm() throws Exception {
    Ran ran = skerry("lcls", "--out", "a b.h5");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("java --enable-native-access=ALL-UNNAMED "), ran.out());
    assertTrue(
        ran.out().endsWith("-jar " + folder + "/jobs/target/skerry.jar lcls --out a b.h5\n"));
    assertEquals("", ran.err());
  }

  @Test
  void several_ranks_start_under_mpirun_and_return_its_exit_code() throws Exception {
    mpirun();
    for (String ranks : List.of("--ranks 3", "--ranks=3")) {
      Ran ran = skerry(("lcls --json -v " + ranks).split(" "));
      assertEquals(7, ran.code(), ran.err());
      assertTrue(ran.out().startsWith("mpirun -n 3 "), ran.out());
      assertTrue(ran.out().contains(" --oversubscribe --bind-to none "), ran.out());
      // mpirun of Open MPI rewrites the arguments of a program named java, so env starts it.
      assertTrue(ran.out().contains(" env " + folder + "/jdk/bin/java "), ran.out());
      assertTrue(ran.out().contains("skerry.jar lcls --json -v " + ranks + "\n"), ran.out());
      assertTrue(ran.out().contains("sieving 0 0"), ran.out());
      assertEquals("skerry: running as 3 ranks under " + folder + "/bin/mpirun\n", ran.err());
    }
  }

  @Test
  void pca_runs_on_several_ranks_without_a_display() throws Exception {
    mpirun();
    String out = skerry("pca", "f.h5:/p", "--ranks", "2", "--png", "p.png").out();
    assertTrue(out.startsWith("mpirun -n 2 "), out);
    assertTrue(out.contains(" -Djava.awt.headless=true "), out);
    assertTrue(out.contains("/jobs/target/skerry.jar pca f.h5:/p "), out);
  }

  @Test
  void waiting_ranks_yield_unless_the_user_sets_otherwise() throws Exception {
    mpirun();
    assertTrue(skerry("lcls", "--ranks", "2").out().contains("yield 1\n"));
    environment.put("OMPI_MCA_mpi_yield_when_idle", "0");
    assertTrue(skerry("lcls", "--ranks", "2").out().contains("yield 0\n"));
  }

  @Test
  void without_mpirun_ranks_are_threads_and_the_reason_is_printed() throws Exception {
    Ran ran = skerry("lcls", "--ranks", "2");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("java "), ran.out());
    assertEquals(
        "skerry: Open MPI (mpirun) is missing and SKERRY_NO_INSTALL=1 forbids installing it:"
            + " running 2 ranks as threads\n",
        ran.err());
  }

  @Test
  void the_option_mpi_selects_threads_or_another_launcher() throws Exception {
    mpirun();
    Ran threads = skerry("lcls", "--ranks", "2", "--mpi=threads");
    assertTrue(threads.out().startsWith("java ") && threads.err().isEmpty(), threads.toString());
    program("other/mpiexec", "echo other $*");
    String other = folder.resolve("other/mpiexec").toString();
    Ran chosen = skerry("lcls", "--ranks", "2", "--mpi", other);
    assertTrue(chosen.out().contains("other -n 2 " + folder + "/jdk/bin/java "), chosen.out());
    Ran absent = skerry("lcls", "--ranks", "2", "--mpi", "/no/such");
    assertEquals(1, absent.code());
    assertEquals("skerry: no such launcher: --mpi=/no/such\n", absent.err());
  }

  @Test
  void under_a_launcher_no_second_launcher_is_started() throws Exception {
    mpirun();
    for (String name : List.of("OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK")) {
      environment.put(name, "2");
      assertTrue(skerry("lcls", "--ranks", "2").out().startsWith("java "), name);
      environment.remove(name);
    }
  }

  @Test
  void srun_without_pmix_is_refused_before_every_task_writes_the_same_file() throws Exception {
    environment.put("SLURM_STEP_NUM_TASKS", "4");
    Ran ran = skerry("lcls");
    assertEquals(1, ran.code());
    assertTrue(ran.err().contains("use srun --mpi=pmix"), ran.err());
    environment.put("PMIX_RANK", "0");
    assertEquals(0, skerry("lcls").code());
  }

  @Test
  void only_parallel_commands_start_ranks() throws Exception {
    mpirun();
    assertTrue(skerry("ls", "--ranks", "2").out().startsWith("java "));
    assertTrue(skerry("lcls", "--ranks", "2", "--help").out().startsWith("java "));
    assertTrue(skerry("lcls", "--ranks", "many").out().startsWith("java "));
  }

  @Test
  void every_command_that_draws_progress_learns_whether_standard_error_is_a_terminal()
      throws Exception {
    Path script = Path.of("/usr/bin/script");
    assumeTrue(Files.isExecutable(script), "skipped: no program that provides a terminal");
    program("jdk/bin/java", "echo terminal=${SKERRY_TERMINAL:-none}");
    for (String name : List.of("lcls", "pca", "repack", "convert", "verify", "export", "import")) {
      assertEquals("terminal=none\n", skerry(name).out(), name);
      String command = folder.resolve("skerry") + " " + name;
      Ran ran =
          Shell.run(folder, environment, List.of(script.toString(), "-qec", command, "/dev/null"));
      assertEquals("terminal=1", ran.out().strip(), name);
    }
  }

  @Test
  void the_command_line_is_printed_on_request() throws Exception {
    environment.put("SKERRY_TRACE", "1");
    environment.put("SKERRY_JAVA_OPTS", "-Xmx1g -ea");
    Ran ran = skerry("lcls", "--out", "a b");
    assertTrue(ran.err().startsWith("+ " + folder + "/jdk/bin/java "), ran.err());
    assertTrue(ran.err().contains(" -Xmx1g -ea -jar "), ran.err());
    assertTrue(ran.err().endsWith(" lcls --out a\\ b\n"), ran.err());
  }

  @Test
  void the_script_rebuilds_only_after_a_source_change() throws Exception {
    program("bin/mvn", "echo mvn $* >> " + folder.resolve("built.log"));
    assertFalse(buildsAfter(() -> {}));
    assertFalse(buildsAfter(() -> touch("jobs/src/test/java/B.java")));
    assertFalse(buildsAfter(() -> touch("testkit/src/main/java/C.java")));
    assertFalse(buildsAfter(() -> touch("integration-tests/src/main/java/C.java")));
    assertTrue(buildsAfter(() -> touch("jobs/src/main/java/A.java")));
    assertFalse(buildsAfter(() -> {}));
    assertTrue(buildsAfter(() -> touch("jobs/pom.xml")));
    assertTrue(buildsAfter(() -> touch(".mvn/jvm.config")));
    assertTrue(buildsAfter(() -> Files.delete(folder.resolve("jobs/src/main/java/A.java"))));
  }

  private interface Change {
    void make() throws IOException;
  }

  private boolean buildsAfter(Change change) throws Exception {
    Thread.sleep(30);
    change.make();
    Path log = folder.resolve("built.log");
    Files.deleteIfExists(log);
    Ran ran = skerry("--version");
    assertEquals(0, ran.code(), ran.err());
    if (!Files.exists(log)) {
      return false;
    }
    assertEquals("skerry: building (sources changed since the last build)\n", ran.err());
    assertTrue(Files.readString(log).contains("-pl jobs -am package"), Files.readString(log));
    return true;
  }

  @Test
  void a_failed_build_is_reported_and_repeated() throws Exception {
    program("bin/mvn", "echo 'no such symbol'; exit 1");
    touchLater();
    for (int i = 0; i < 2; i++) {
      Ran ran = skerry("--version");
      assertEquals(1, ran.code());
      assertTrue(ran.err().endsWith("no such symbol\nskerry: the build failed\n"), ran.err());
    }
  }

  @Test
  void parallel_calls_build_once() throws Exception {
    program(
        "bin/mvn", "echo built >> " + folder.resolve("built.log") + "; read -t 0.5 <> <(:) || :");
    touchLater();
    fourAtOnce();
    assertEquals("built\n", Files.readString(folder.resolve("built.log")));
  }

  private void touchLater() throws Exception {
    Thread.sleep(30);
    touch("pom.xml");
  }

  @Test
  void a_missing_tool_is_named_if_installation_is_forbidden() throws Exception {
    touchLater();
    Ran ran = skerry("--version");
    assertEquals(1, ran.code());
    assertEquals(
        "skerry: Maven (mvn) is missing and SKERRY_NO_INSTALL=1 forbids installing it\n",
        ran.err());
  }

  @Test
  void packages_for_other_scripts_are_named_if_installation_is_forbidden() throws Exception {
    Ran ran = skerry("install", "slurm-wlm", "munge");
    assertEquals(1, ran.code());
    assertEquals(
        "skerry: missing: slurm-wlm munge, and SKERRY_NO_INSTALL=1 forbids installing it\n",
        ran.err());
  }

  @Test
  void a_java_home_that_is_too_old_is_ignored() throws Exception {
    jdk("old", "17.0.15");
    jdk("older", "1.8.0_392");
    jdk(".jdks/next", "99");
    for (String name : List.of("old", "older", "nothing")) {
      environment.put("JAVA_HOME", folder.resolve(name).toString());
      environment.put("SKERRY_TRACE", "1");
      // A JDK of this machine may precede the fake one, so only the rejection is checked.
      Ran ran = skerry("--version");
      assertTrue(ran.err().startsWith("+ /"), ran.err());
      assertFalse(ran.err().contains("/" + name + "/bin/java"), ran.err());
    }
  }

  @Test
  void the_script_runs_from_any_folder_and_through_links() throws Exception {
    Files.createSymbolicLink(folder.resolve("bin/sk"), folder.resolve("skerry"));
    Files.createDirectories(folder.resolve("elsewhere"));
    for (String call : List.of("cd elsewhere; ../skerry -V", "sk -V", "bash skerry -V")) {
      Ran ran = Shell.run(folder, environment, List.of("bash", "-c", call));
      assertEquals(0, ran.code(), call + ran.err());
      assertTrue(ran.out().contains("/jobs/target/skerry.jar -V"), ran.out());
    }
  }

  @Test
  void all_scripts_have_valid_syntax() throws Exception {
    Path root = Repository.root();
    for (String script :
        List.of(
            "skerry",
            ".ci/run",
            "slurm/ranks",
            "slurm/test-cluster",
            "slurm/lcls.sbatch",
            "slurm/lcls-nodes.sbatch",
            "slurm/lcls-array.sbatch",
            "mpi-core/make-openmpi-jar",
            "integration-tests/other-debian",
            "integration-tests/two-hosts")) {
      Ran ran =
          Shell.run(folder, environment, List.of("bash", "-n", root.resolve(script).toString()));
      assertEquals(new Ran(0, "", ""), ran, script);
      assertTrue(script.endsWith(".sbatch") || Files.isExecutable(root.resolve(script)), script);
    }
  }
}
