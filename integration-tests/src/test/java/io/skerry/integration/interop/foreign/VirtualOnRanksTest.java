package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VirtualOnRanksTest {
  @TempDir Path folder;

  @Test
  void each_rank_reads_its_rows_of_virtual_datasets() throws IOException {
    List<Oracle> pythons = Oracle.h5py();
    assumeFalse(pythons.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : pythons) {
      Path own = Files.createDirectory(folder.resolve(h5py.hdf5()));
      List<String> lines =
          h5py.script(folder, "virtual.py", own, 17).expectSuccess().out().lines().toList();
      assertEquals(5, lines.size());
      for (int ranks : new int[] {1, 2, 3, 7}) {
        new RowsByRank(lines)
            .check(
                own.resolve("whole.h5"),
                ranks,
                dataset -> assertEquals("virtual", dataset.storage().layout(), dataset.path()));
      }
    }
  }
}
