package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.SpaceReport;
import io.skerry.Verification;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that verification reports neither damage nor overlaps in sound files of h5py. */
class VerifyForeignFilesTest {
  private static final int FILES = 30;

  @TempDir Path folder;

  @Test
  void random_files_of_h5py_are_clean() {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get().script(folder, "random_files.py", folder, 0, FILES).expectSuccess();
    for (int seed = 0; seed < FILES; seed++) {
      List<Verification.Finding> findings = new ArrayList<>();
      SpaceReport report = Verification.of(folder.resolve(seed + ".h5"), findings::add);
      assertEquals(List.of(), findings, "seed=" + seed);
      assertTrue(report.objects() >= 1, "seed=" + seed);
    }
  }
}
