package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.StorageChange.Layout;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Copies the elements of virtual datasets whose sources have changed or are missing. */
class CopiedVirtualElementsTest {
  /**
   * After the virtual datasets are created, the source of one grows, and that of the other is lost.
   */
  private static final String MAKE =
      """
      import os
      import h5py, numpy as np
      for name in ("grown", "lost"):
          with h5py.File(name + ".h5", "w", libver="latest") as f:
              data = np.arange(12, dtype="<i4").reshape(3, 4)
              f.create_dataset("d", data=data, chunks=(2, 2), maxshape=(3, None))
              f["first"] = data[:, :2]
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          for name in ("grown", "lost"):
              layout = h5py.VirtualLayout((3, 6), "<i4", maxshape=(3, None))
              layout[:, 0:2] = h5py.VirtualSource("grown.h5", "first", (3, 2), "<i4")
              source = h5py.VirtualSource(name + ".h5", "d", (3, 4), "<i4", (3, None))
              layout[:, 2 : h5py.h5s.UNLIMITED] = source[:, 0 : h5py.h5s.UNLIMITED]
              f.create_virtual_dataset(name, layout, fillvalue=-1)
      with h5py.File("grown.h5", "r+", libver="latest") as f:
          f["d"].resize((3, 7))
          f["d"][...] = np.arange(21).reshape(3, 7)
      os.remove("lost.h5")
      """;

  private static final int[] GROWN = {
    0, 1, 0, 1, 2, 3, 4, 5, 6, 4, 5, 7, 8, 9, 10, 11, 12, 13, 8, 9, 14, 15, 16, 17, 18, 19, 20
  };

  private static final int[] LOST = {0, 1, 4, 5, 8, 9};

  @TempDir Path folder;

  @Test
  void a_copy_with_other_storage_has_the_extent_of_the_sources() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
    for (int ranks : List.of(1, 3)) {
      for (Layout layout : Layout.values()) {
        Path out = folder.resolve(layout + "-" + ranks + ".h5");
        List<Boolean> unused = LocalRanks.call(ranks, world -> copy(layout, out, world));
        try (H5File file = H5File.open(out)) {
          check(file.dataset("/grown"), layout, 9, GROWN);
          check(file.dataset("/lost"), layout, 2, LOST);
        }
      }
    }
  }

  private boolean copy(Layout layout, Path out, Communicator world) {
    try (H5File source = H5File.open(folder.resolve("virtual.h5"), world);
        H5File target = H5File.create(out, world)) {
      ObjectCopier.between(source, target)
          .storing(_ -> StorageChange.none().withLayout(layout))
          .copyAll();
    }
    return true;
  }

  private static void check(Dataset copy, Layout layout, long columns, int[] expected) {
    String what = copy.path() + " " + layout;
    assertEquals(3, copy.shape().extent(0), what);
    assertEquals(columns, copy.shape().extent(1), what);
    assertArrayEquals(expected, copy.readInts(Selection.all()), what);
  }
}
