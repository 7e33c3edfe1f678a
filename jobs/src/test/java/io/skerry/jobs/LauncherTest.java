package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The launcher in a folder of its own, with a JDK, a Maven and an mpirun that only print how they
 * were called, and nothing else on its path but the tools it may rely on.
 */
class LauncherTest {
  private static final List<String> TOOLS =
      List.of(
          "bash",
          "find",
          "mkdir",
          "mv",
          "rm",
          "sed",
          "readlink",
          "nproc",
          "flock",
          "env",
          "cat",
          "sleep");

  @TempDir private Path folder;
  private final Map<String, String> environment = new HashMap<>();

  @BeforeEach
  void lay_out_a_built_checkout() throws IOException {
    Files.createDirectories(folder.resolve("bin"));
    for (String tool : TOOLS) {
      for (String from : List.of("/usr/bin", "/bin")) {
        if (Files.isExecutable(Path.of(from, tool))) {
          script("bin/" + tool, "#!/bin/sh\nexec " + from + "/" + tool + " \"$@\"\n");
        }
      }
    }
    Files.copy(Repository.root().resolve("skerry"), folder.resolve("skerry"));
    jdk("jdk", "25.0.1");
    for (String file :
        List.of(
            "pom.xml",
            "jobs/pom.xml",
            "jobs/src/main/java/A.java",
            "jobs/src/test/java/B.java",
            "testkit/src/main/java/C.java",
            "jobs/target/skerry.jar",
            ".mvn/jvm.config")) {
      Files.createDirectories(folder.resolve(file).getParent());
      Files.writeString(folder.resolve(file), "");
    }
    Files.createDirectories(folder.resolve(".skerry"));
    Files.writeString(folder.resolve(".skerry/built"), "");
    Files.setLastModifiedTime(
        folder.resolve(".skerry/built"), FileTime.from(Instant.now().plusMillis(20)));
    environment.put("PATH", folder.resolve("bin").toString());
    environment.put("JAVA_HOME", folder.resolve("jdk").toString());
    environment.put("HOME", folder.toString());
    environment.put("SKERRY_NO_INSTALL", "1");
    environment.put("SKERRY_NO_ARCHIVE", "1");
  }

  private void jdk(String name, String version) throws IOException {
    program(name + "/bin/java", "echo java $*");
    program(name + "/bin/javac", "exit 1");
    Files.writeString(
        folder.resolve(name + "/release"),
        "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\nOS_NAME=\"Linux\"\n");
  }

  private void program(String name, String body) throws IOException {
    script(name, "#!/usr/bin/env bash\n" + body + "\n");
  }

  private void script(String name, String text) throws IOException {
    Path file = folder.resolve(name);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private void mpirun() throws IOException {
    program(
        "bin/mpirun",
        "if [[ $1 == --version ]]; then echo 'mpirun (Open MPI) 4.1.4'; exit; fi\n"
            + "echo mpirun $*; echo sieving $OMPI_MCA_fbtl_posix_read_datasieving"
            + " $OMPI_MCA_fbtl_posix_write_datasieving yield ${OMPI_MCA_mpi_yield_when_idle:-};"
            + " exit 7");
  }

  private Ran skerry(String... arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(folder.resolve("skerry").toString()));
    command.addAll(List.of(arguments));
    return Shell.run(folder, environment, command);
  }

  @Test
  void one_rank_is_one_java() throws Exception {
    Ran ran = skerry("lcls", "--out", "a b.h5");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("java --enable-native-access=ALL-UNNAMED "), ran.out());
    assertTrue(
        ran.out().endsWith("-jar " + folder + "/jobs/target/skerry.jar lcls --out a b.h5\n"));
    assertEquals("", ran.err());
  }

  @Test
  void more_ranks_go_under_mpirun_whose_exit_code_is_passed_on() throws Exception {
    mpirun();
    for (String ranks : List.of("--ranks 3", "--ranks=3")) {
      Ran ran = skerry(("lcls --json -v " + ranks).split(" "));
      assertEquals(7, ran.code(), ran.err());
      assertTrue(ran.out().startsWith("mpirun -n 3 "), ran.out());
      assertTrue(ran.out().contains(" --oversubscribe --bind-to none "), ran.out());
      // Open MPI would rewrite the arguments of a program that it takes for java.
      assertTrue(ran.out().contains(" env " + folder + "/jdk/bin/java "), ran.out());
      assertTrue(ran.out().contains("skerry.jar lcls --json -v " + ranks + "\n"), ran.out());
      assertTrue(ran.out().contains("sieving 0 0"), ran.out());
      assertEquals("skerry: running as 3 ranks under " + folder + "/bin/mpirun\n", ran.err());
    }
  }

  @Test
  void components_are_sought_by_many_ranks_without_a_screen() throws Exception {
    mpirun();
    String out = skerry("pca", "f.h5:/p", "--ranks", "2", "--png", "p.png").out();
    assertTrue(out.startsWith("mpirun -n 2 "), out);
    assertTrue(out.contains(" -Djava.awt.headless=true "), out);
    assertTrue(out.contains("/jobs/target/skerry.jar pca f.h5:/p "), out);
  }

  @Test
  void waiting_ranks_give_way_unless_the_user_says_otherwise() throws Exception {
    mpirun();
    assertTrue(skerry("lcls", "--ranks", "2").out().contains("yield 1\n"));
    environment.put("OMPI_MCA_mpi_yield_when_idle", "0");
    assertTrue(skerry("lcls", "--ranks", "2").out().contains("yield 0\n"));
  }

  @Test
  void without_mpirun_ranks_are_threads_and_it_says_why() throws Exception {
    Ran ran = skerry("lcls", "--ranks", "2");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("java "), ran.out());
    assertEquals(
        "skerry: Open MPI (mpirun) is missing and SKERRY_NO_INSTALL=1 forbids installing it:"
            + " running 2 ranks as threads\n",
        ran.err());
  }

  @Test
  void the_user_chooses_threads_or_another_mpirun() throws Exception {
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
  void under_a_launcher_nothing_is_launched_again() throws Exception {
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
  void only_the_job_is_launched_with_ranks() throws Exception {
    mpirun();
    assertTrue(skerry("ls", "--ranks", "2").out().startsWith("java "));
    assertTrue(skerry("lcls", "--ranks", "2", "--help").out().startsWith("java "));
    assertTrue(skerry("lcls", "--ranks", "many").out().startsWith("java "));
  }

  @Test
  void the_command_line_is_shown_on_request() throws Exception {
    environment.put("SKERRY_TRACE", "1");
    environment.put("SKERRY_JAVA_OPTS", "-Xmx1g -ea");
    Ran ran = skerry("lcls", "--out", "a b");
    assertTrue(ran.err().startsWith("+ " + folder + "/jdk/bin/java "), ran.err());
    assertTrue(ran.err().contains(" -Xmx1g -ea -jar "), ran.err());
    assertTrue(ran.err().endsWith(" lcls --out a\\ b\n"), ran.err());
  }

  @Test
  void it_builds_again_only_when_a_source_changed() throws Exception {
    program("bin/mvn", "echo mvn $* >> " + folder.resolve("built.log"));
    assertFalse(buildsAfter(() -> {}));
    assertFalse(buildsAfter(() -> touch("jobs/src/test/java/B.java")));
    assertFalse(buildsAfter(() -> touch("testkit/src/main/java/C.java")));
    assertTrue(buildsAfter(() -> touch("jobs/src/main/java/A.java")));
    assertFalse(buildsAfter(() -> {}));
    assertTrue(buildsAfter(() -> touch("jobs/pom.xml")));
    assertTrue(buildsAfter(() -> touch(".mvn/jvm.config")));
    assertTrue(buildsAfter(() -> Files.delete(folder.resolve("jobs/src/main/java/A.java"))));
  }

  private interface Change {
    void make() throws IOException;
  }

  private void touch(String file) throws IOException {
    Files.setLastModifiedTime(folder.resolve(file), FileTime.from(Instant.now()));
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
  void a_failed_build_fails_and_is_tried_again() throws Exception {
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
    Ran ran =
        Shell.run(
            folder,
            environment,
            List.of("bash", "-c", "for i in 1 2 3 4; do ./skerry -V & done; wait"));
    assertEquals(4, ran.out().lines().filter(line -> line.startsWith("java ")).count());
    assertEquals("built\n", Files.readString(folder.resolve("built.log")));
  }

  private void touchLater() throws Exception {
    Thread.sleep(30);
    touch("pom.xml");
  }

  @Test
  void what_is_missing_is_named_when_nothing_may_be_installed() throws Exception {
    touchLater();
    Ran ran = skerry("--version");
    assertEquals(1, ran.code());
    assertEquals(
        "skerry: Maven (mvn) is missing and SKERRY_NO_INSTALL=1 forbids installing it\n",
        ran.err());
  }

  @Test
  void what_a_script_beside_it_needs_is_named_when_nothing_may_be_installed() throws Exception {
    Ran ran = skerry("install", "slurm-wlm", "munge");
    assertEquals(1, ran.code());
    assertEquals(
        "skerry: missing: slurm-wlm munge, and SKERRY_NO_INSTALL=1 forbids installing it\n",
        ran.err());
  }

  @Test
  void an_old_java_home_is_passed_over_for_a_new_enough_jdk() throws Exception {
    jdk("old", "17.0.15");
    jdk("older", "1.8.0_392");
    jdk(".jdks/next", "99");
    for (String name : List.of("old", "older", "nothing")) {
      environment.put("JAVA_HOME", folder.resolve(name).toString());
      environment.put("SKERRY_TRACE", "1");
      // Whichever JDK this machine has comes before the one made here: only what was chosen counts.
      Ran ran = skerry("--version");
      assertTrue(ran.err().startsWith("+ /"), ran.err());
      assertFalse(ran.err().contains("/" + name + "/bin/java"), ran.err());
    }
  }

  @Test
  void it_runs_from_anywhere_and_through_links() throws Exception {
    Files.createSymbolicLink(folder.resolve("bin/sk"), folder.resolve("skerry"));
    Files.createDirectories(folder.resolve("elsewhere"));
    for (String call : List.of("cd elsewhere; ../skerry -V", "sk -V", "bash skerry -V")) {
      Ran ran = Shell.run(folder, environment, List.of("bash", "-c", call));
      assertEquals(0, ran.code(), call + ran.err());
      assertTrue(ran.out().contains("/jobs/target/skerry.jar -V"), ran.out());
    }
  }

  @Test
  void the_batch_script_starts_the_job_as_told_and_passes_its_exit_code_on() throws Exception {
    batch("echo $* >> called; case $* in *lcls*) exit 5 ;; esac");
    String launched = folder + "/skerry lcls --no-progress --seed 3\n";
    for (String script : List.of("lcls", "lcls-nodes")) {
      Ran ran = sbatch(script, "--seed", "3");
      assertEquals(5, ran.code(), ran.err());
      assertEquals("srun --mpi=pmix --kill-on-bad-exit=1 " + launched, ran.out());
    }
    environment.put("SKERRY_LAUNCHER", "mpirun");
    environment.put("SLURM_NTASKS", "6");
    Ran ran = sbatch("lcls", "--seed", "3");
    assertEquals(5, ran.code(), ran.err());
    assertTrue(ran.out().startsWith("mpirun -n 6 --bind-to none --quiet "), ran.out());
    assertTrue(ran.out().endsWith(" " + launched), ran.out());
    String called = Files.readString(folder.resolve("called"));
    assertEquals(
        List.of("--version", "lcls --no-progress --seed 3"), called.lines().limit(2).toList());
    environment.put("SKERRY_LAUNCHER", "other");
    assertEquals(2, sbatch("lcls").code());
  }

  @Test
  void a_task_of_an_array_runs_its_line() throws Exception {
    batch("exit 0");
    Files.writeString(folder.resolve("runs.txt"), "--seed 1 --out a.h5\n--seed 2 --out b.h5\n");
    environment.put("SLURM_ARRAY_TASK_ID", "2");
    Ran ran = sbatch("lcls-array", "runs.txt", "--every", "4");
    assertEquals(0, ran.code(), ran.err());
    assertTrue(
        ran.out().endsWith(" lcls --no-progress --seed 2 --out b.h5 --every 4\n"), ran.out());
    environment.put("SLURM_ARRAY_TASK_ID", "3");
    ran = sbatch("lcls-array", "runs.txt");
    assertEquals(2, ran.code());
    assertEquals("runs.txt has no run in line 3: see sbatch --array\n", ran.err());
    ran = sbatch("lcls-array");
    assertEquals(2, ran.code());
    assertTrue(ran.err().startsWith("no file with a line of arguments for each run"), ran.err());
  }

  @Test
  void a_warned_batch_script_lets_the_ranks_end_and_waits_for_them() throws Exception {
    batch(
        "case $* in *lcls*) trap 'echo flushed; exit 0' USR1; kill -USR1 $(cat script.pid);"
            + " for ((i = 0; i < 600; i++)); do sleep 0.1; done; exit 9 ;; esac");
    Ran ran = Shell.run(folder, environment, List.of("bash", "-c", warned()));
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().endsWith("\nflushed\n"), ran.out());
    assertEquals("slurm/ranks: asked to stop, the ranks finish their batch\n", ran.err());
  }

  @Test
  void warned_while_it_builds_the_batch_script_starts_nothing() throws Exception {
    batch("case $* in --version) kill -USR1 $(cat script.pid) ;; *) echo started ;; esac");
    Ran ran = Shell.run(folder, environment, List.of("bash", "-c", warned()));
    assertEquals(0, ran.code(), ran.err());
    assertEquals("", ran.out());
    assertTrue(ran.err().endsWith("asked to stop before the start: nothing was done\n"), ran.err());
  }

  private static String warned() {
    return "echo $$ > script.pid; exec bash slurm/lcls.sbatch";
  }

  private Ran sbatch(String script, String... arguments) throws Exception {
    var command = new ArrayList<>(List.of("bash", "slurm/" + script + ".sbatch"));
    command.addAll(List.of(arguments));
    return Shell.run(folder, environment, command);
  }

  /**
   * The batch scripts beside a launcher that does as told, with an srun and an mpirun that run it.
   */
  private void batch(String launcher) throws IOException {
    Files.createDirectories(folder.resolve("slurm"));
    for (String script :
        List.of("ranks", "lcls.sbatch", "lcls-nodes.sbatch", "lcls-array.sbatch")) {
      Path from = Repository.root().resolve("slurm").resolve(script);
      Files.copy(from, folder.resolve("slurm").resolve(script));
    }
    program("skerry", launcher);
    String shift = "while [[ $1 != */skerry ]]; do shift; done; exec \"$@\"";
    program("bin/srun", "echo srun $*; " + shift);
    program("bin/mpirun", "echo mpirun $*; " + shift);
    environment.put("SLURM_SUBMIT_DIR", folder.toString());
  }

  /** A java that makes archives and notes it, unless it is told to fail at that. */
  private void javaThatRecords(String jdk) throws IOException {
    environment.remove("SKERRY_NO_ARCHIVE");
    program(
        jdk + "/bin/java",
        "if [[ -e "
            + folder.resolve("broken")
            + " && $* == *AOTMode* ]]; then exit 1; fi\n"
            + "for each; do case $each in\n"
            + "  -XX:AOTCache=*/made) : >\"${each#*=}\"; echo made >>"
            + folder.resolve("made.log")
            + " ;;\n"
            + "esac; done\n"
            + "echo java $*");
  }

  private long made() throws IOException {
    Path log = folder.resolve("made.log");
    return Files.exists(log) ? Files.readAllLines(log).size() : 0;
  }

  @Test
  void the_first_start_after_a_build_records_an_archive_from_which_the_others_start()
      throws Exception {
    javaThatRecords("jdk");
    String option = " -XX:AOTCache=" + folder + "/.skerry/start/x-";
    for (int i = 0; i < 2; i++) {
      Ran ran = skerry("lcls");
      assertEquals(0, ran.code(), ran.err());
      assertTrue(ran.out().contains(option), ran.out());
      assertTrue(ran.out().startsWith("java ") && ran.out().lines().count() == 1, ran.out());
      assertEquals("", ran.err());
      assertEquals(1, made());
    }
    Thread.sleep(30);
    touch("jobs/target/skerry.jar");
    assertTrue(skerry("ls", "x.h5").out().contains(option));
    assertEquals(2, made());
    jdk("other", "25.0.2");
    javaThatRecords("other");
    Files.writeString(
        folder.resolve("other/release"),
        "JAVA_VERSION=\"25.0.2\"\nJAVA_RUNTIME_VERSION=\"25.0.2+9\"\n");
    environment.put("JAVA_HOME", folder.resolve("other").toString());
    assertTrue(skerry("lcls").out().contains("/.skerry/start/25.0.2+9-"));
    assertEquals(3, made());
    environment.put("SKERRY_NO_ARCHIVE", "1");
    assertFalse(skerry("lcls").out().contains("AOT"));
  }

  @Test
  void without_an_archive_the_job_starts_all_the_same_and_the_recording_is_not_repeated()
      throws Exception {
    javaThatRecords("jdk");
    Files.writeString(folder.resolve("broken"), "");
    for (int i = 0; i < 2; i++) {
      Ran ran = skerry("lcls");
      assertEquals(0, ran.code(), ran.err());
      assertFalse(ran.out().contains("AOT"), ran.out());
      assertEquals("", ran.err());
      Files.deleteIfExists(folder.resolve("broken"));
    }
    assertEquals(0, made());
    Thread.sleep(30);
    touch("jobs/target/skerry.jar");
    assertTrue(skerry("lcls").out().contains("AOTCache"));
  }

  @Test
  void starts_at_the_same_time_record_once_and_ranks_never() throws Exception {
    javaThatRecords("jdk");
    environment.put("OMPI_COMM_WORLD_SIZE", "2");
    assertFalse(skerry("lcls").out().contains("AOT"));
    environment.remove("OMPI_COMM_WORLD_SIZE");
    Ran ran =
        Shell.run(
            folder,
            environment,
            List.of("bash", "-c", "for i in 1 2 3 4; do ./skerry -V & done; wait"));
    assertEquals(4, ran.out().lines().filter(line -> line.startsWith("java ")).count());
    assertEquals(1, made(), ran.err());
    try (var left = Files.list(folder.resolve(".skerry/start"))) {
      assertTrue(left.noneMatch(Files::isDirectory));
    }
  }

  @Test
  void a_rank_gets_its_share_of_what_slurm_granted() throws Exception {
    environment.putAll(Map.of("PMIX_RANK", "0", "SLURM_MEM_PER_NODE", "4000"));
    environment.put("SLURM_STEP_TASKS_PER_NODE", "2,4(x2)");
    assertTrue(skerry("lcls").out().contains(" -Xmx400m -XX:+UseSerialGC "));
    environment.put("SLURM_MEM_PER_NODE", "10240");
    assertTrue(skerry("lcls").out().contains(" -Xmx1024m "));
    assertFalse(skerry("lcls").out().contains("SerialGC"), "the JVM chooses for a large heap");
    environment.put("SLURM_MEM_PER_NODE", "4000");
    environment.put("OMPI_COMM_WORLD_LOCAL_SIZE", "2");
    assertTrue(skerry("lcls").out().contains(" -Xmx800m "));
    environment.remove("SLURM_MEM_PER_NODE");
    environment.putAll(Map.of("SLURM_MEM_PER_CPU", "500", "SLURM_CPUS_ON_NODE", "4"));
    assertTrue(skerry("lcls").out().contains(" -Xmx400m "));
    environment.put("SKERRY_JAVA_OPTS", "-Xmx1g");
    assertTrue(skerry("lcls").out().matches("(?s).* -Xmx400m .*-Xmx1g .*"));
    environment.remove("SLURM_MEM_PER_CPU");
    environment.remove("OMPI_COMM_WORLD_LOCAL_SIZE");
    environment.remove("SLURM_STEP_TASKS_PER_NODE");
    environment.remove("SKERRY_JAVA_OPTS");
    assertFalse(skerry("lcls").out().contains("-Xmx"), "a rank that is alone needs no share");
  }

  @Test
  void ranks_of_one_machine_share_its_memory_and_its_processors() throws Exception {
    mpirun();
    int processors = Runtime.getRuntime().availableProcessors();
    String out = skerry("lcls", "--ranks", "4").out();
    long heap = Long.parseLong(out.replaceAll("(?s).* -Xmx(\\d+)m .*", "$1"));
    long machine = machineMebibytes();
    assertTrue(heap >= 64 && heap <= machine / 10, heap + " of " + machine);
    assertTrue(
        out.contains(" -XX:ActiveProcessorCount=" + Math.max(1, processors / 4) + " ")
            || !out.contains("ActiveProcessorCount"),
        out);
    environment.put("SLURM_JOB_NUM_NODES", "4");
    String spread = skerry("lcls", "--ranks", "8").out();
    long more = Long.parseLong(spread.replaceAll("(?s).* -Xmx(\\d+)m .*", "$1"));
    assertTrue(more >= 2 * heap - 2 && more <= 2 * heap + 2, more + " beside " + heap);
    if (processors > 1) {
      environment.put("SLURM_CPUS_PER_TASK", "1");
      assertTrue(skerry("lcls", "--ranks", "2").out().contains(" -XX:ActiveProcessorCount=1 "));
    }
  }

  private static long machineMebibytes() throws IOException {
    try (var lines = Files.lines(Path.of("/proc/meminfo"))) {
      String total = lines.filter(line -> line.startsWith("MemTotal:")).findFirst().orElseThrow();
      return Long.parseLong(total.replaceAll("\\D", "")) / 1024;
    }
  }

  /** With a real control group, of whichever version this machine has. */
  @Test
  void ranks_share_what_their_control_group_leaves_them() throws Exception {
    mpirun();
    Path one = Path.of("/sys/fs/cgroup/memory");
    Path parent = Files.isDirectory(one) ? one : Path.of("/sys/fs/cgroup");
    Path group = parent.resolve("skerry-test-" + ProcessHandle.current().pid());
    try {
      Files.createDirectory(group);
    } catch (IOException e) {
      assumeTrue(false, "no control group can be made here, skipped: " + e);
    }
    try {
      Path limit = group.resolve(parent == one ? "memory.limit_in_bytes" : "memory.max");
      assumeTrue(Files.isWritable(limit), "control groups limit no memory here: skipped");
      Files.writeString(limit, String.valueOf(1000L << 20));
      environment.put("GROUP", group.toString());
      Ran ran =
          Shell.run(
              folder,
              environment,
              List.of("bash", "-c", "echo $$ >$GROUP/cgroup.procs; exec ./skerry lcls --ranks 2"));
      assertTrue(ran.out().contains(" -Xmx200m "), ran.toString());
    } finally {
      Files.delete(group);
    }
  }

  @Test
  void a_main_of_the_users_runs_under_the_same_launcher() throws Exception {
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
  void a_main_that_cannot_be_run_is_refused_in_one_line() throws Exception {
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

  @Test
  void all_scripts_are_sound_to_bash() throws Exception {
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
            "testkit/other-debian",
            "testkit/two-hosts")) {
      Ran ran =
          Shell.run(folder, environment, List.of("bash", "-n", root.resolve(script).toString()));
      assertEquals(new Ran(0, "", ""), ran, script);
      assertTrue(script.endsWith(".sbatch") || Files.isExecutable(root.resolve(script)), script);
    }
  }
}
