package io.skerry.integration.fuzz;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.integration.SharedData;
import io.skerry.testkit.launch.ChildProgram;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that damaged files cause documented exceptions within limits of time and memory. */
class DamagedFilesTest {
  /** Number of mutations; {@code -Pslow} and {@code -Pstress} run more. */
  private static final long MUTATIONS = Long.getLong("skerry.mutations", 600);

  /** Time limit per file; {@code -Pstress} sets 2 s and requires an otherwise idle machine. */
  private static final long SECONDS = Long.getLong("skerry.mutation.seconds", 10);

  @TempDir Path folder;

  @Test
  void damaged_files_cause_only_documented_exceptions_in_a_heap_of_256_mebibytes()
      throws Exception {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get().script(folder, "random_files.py", folder, 1000, 100).expectSuccess();
    List<Object> arguments = new ArrayList<>(List.of(0, MUTATIONS, SECONDS, folder));
    SharedData.find("hdf5-corpus").ifPresent(arguments::add);
    ChildProgram.Ended ended =
        ChildProgram.of(CampaignMain.class, arguments.toArray())
            .withJvmOptions("-Xmx256m")
            .run(folder, "campaign.txt", Duration.ofSeconds(300 + MUTATIONS / 5));
    assertEquals(0, ended.exitCode(), ended.output());
    System.out.println(ended.output().lines().toList().getLast());
  }
}
