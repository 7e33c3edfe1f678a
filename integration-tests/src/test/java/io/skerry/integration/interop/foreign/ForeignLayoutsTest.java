package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Reads random datasets of h5py with every layout, chunk index and version bound. */
class ForeignLayoutsTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final int DATASETS = Boolean.getBoolean("skerry.thorough") ? 120 : 80;

  private static final List<String> BOUNDS =
      List.of("earliest v108", "v108 v108", "earliest latest", "v110 v110", "latest latest");

  /** True (with {@code -Pslow}) to create files of all bounds with each h5py. */
  private static final boolean EACH_PAIR = Boolean.getBoolean("skerry.each.h5py");

  @TempDir Path folder;

  @Test
  void every_element_of_every_layout_is_what_h5py_reads() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    int seed = 1;
    for (Oracle h5py : H5PY) {
      for (String bounds : BOUNDS) {
        boolean own = BOUNDS.indexOf(bounds) % H5PY.size() == H5PY.indexOf(h5py);
        if (!EACH_PAIR && !own && !bounds.equals("latest latest")) {
          continue;
        }
        String[] bound = bounds.split(" ");
        Path file = folder.resolve(h5py.hdf5() + "-" + bounds.replace(' ', '-') + ".h5");
        List<String> lines =
            h5py.script(folder, "layouts.py", file, bound[0], bound[1], seed++, DATASETS)
                .expectSuccess()
                .out()
                .lines()
                .toList();
        assertEquals(DATASETS, lines.size());
        TreeSet<String> indexes = new TreeSet<>();
        for (int ranks : new int[] {1, 3}) {
          new RowsByRank(lines)
              .check(
                  file,
                  ranks,
                  dataset ->
                      indexes.add(dataset.storage().layout() + " " + dataset.storage().index()));
        }
        System.out.println(h5py + " " + bounds + ": " + DATASETS + " datasets by " + indexes);
        assertTrue(indexes.size() > 1, "indexes: " + indexes);
      }
    }
  }
}
