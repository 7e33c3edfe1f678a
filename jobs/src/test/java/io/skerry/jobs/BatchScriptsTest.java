package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests the batch scripts for Slurm with fake launchers that print their arguments. */
class BatchScriptsTest extends FakeCheckout {
  @Test
  void the_batch_script_passes_arguments_and_exit_code_through() throws Exception {
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
  void an_array_task_runs_its_line() throws Exception {
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
  void a_signalled_batch_script_waits_for_the_ranks_to_end() throws Exception {
    batch(
        "case $* in *lcls*) trap 'echo flushed; exit 0' USR1; kill -USR1 $(cat script.pid);"
            + " for ((i = 0; i < 600; i++)); do sleep 0.1; done; exit 9 ;; esac");
    Ran ran = Shell.run(folder, environment, List.of("bash", "-c", warned()));
    assertEquals(0, ran.code(), ran.err());
    assertTrue(ran.out().endsWith("\nflushed\n"), ran.out());
    assertEquals("slurm/ranks: asked to stop, the ranks finish their batch\n", ran.err());
  }

  @Test
  void a_batch_script_signalled_during_the_build_starts_nothing() throws Exception {
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
   * Creates the batch scripts next to a fake {@code skerry}, and fakes of srun and mpirun that run
   * it.
   *
   * @param launcher the body of the fake {@code skerry}, in bash
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
}
