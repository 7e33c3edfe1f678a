package io.skerry.mpi.internal.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class LauncherTest {
  private static Launcher launched(Map<String, String> environment) {
    return Launcher.of(environment).orElseThrow();
  }

  @Test
  void open_mpi_sets_rank_and_size() {
    var launcher =
        launched(
            Map.of("OMPI_COMM_WORLD_SIZE", "4", "OMPI_COMM_WORLD_RANK", "3", "PMIX_RANK", "3"));
    assertEquals(Launcher.Kind.OPEN_MPI, launcher.kind());
    assertEquals(OptionalInt.of(4), launcher.size());
    assertEquals(OptionalInt.of(3), launcher.rank());
    assertFalse(launcher.isFirst());
  }

  @Test
  void a_slurm_step_with_pmix_has_the_size_of_the_step() {
    var launcher =
        launched(Map.of("PMIX_RANK", "0", "SLURM_STEP_NUM_TASKS", "8", "SLURM_NTASKS", "16"));
    assertEquals(Launcher.Kind.PMIX, launcher.kind());
    assertEquals(OptionalInt.of(8), launcher.size());
    assertTrue(launcher.isFirst());
  }

  @Test
  void hydra_is_a_pmi_launcher() {
    var launcher = launched(Map.of("PMI_RANK", "1", "PMI_SIZE", "2"));
    assertEquals(Launcher.Kind.PMI, launcher.kind());
    assertEquals(OptionalInt.of(2), launcher.size());
  }

  @Test
  void a_batch_script_is_not_a_rank() {
    assertEquals(Optional.empty(), Launcher.of(Map.of("SLURM_JOB_ID", "7", "SLURM_PROCID", "0")));
  }

  @Test
  void values_that_are_not_numbers_are_ignored() {
    var launcher = launched(Map.of("PMI_RANK", "x", "PMI_SIZE", "99999999999"));
    assertEquals(OptionalInt.empty(), launcher.rank());
    assertEquals(OptionalInt.empty(), launcher.size());
  }
}
