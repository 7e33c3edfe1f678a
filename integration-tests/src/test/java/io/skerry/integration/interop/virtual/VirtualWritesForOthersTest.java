package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.H5File;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Writes through virtual datasets of HDF5 and reads the values with HDF5. */
class VirtualWritesForOthersTest {
  private static final String MADE =
      """
      import h5py, numpy as np
      layout = h5py.VirtualLayout((4, 8), "i4")
      for i in range(3):
          with h5py.File(f"part{i}.h5", "w") as f:
              f.create_dataset("d", (8,), ["<i4", ">i8", "<f4"][i], chunks=(3,) if i else None)
          layout[i] = h5py.VirtualSource(f"part{i}.h5", "d", (8,))
      layout[3] = h5py.VirtualSource(".", "own", (8,))
      with h5py.File("v.h5", "w", libver="latest") as f:
          f["own"] = np.zeros(8, "u1")
          f.create_virtual_dataset("v", layout, fillvalue=-1)
      """;
  private static final String READ =
      """
      import h5py
      with h5py.File("v.h5") as f: print(f["v"][...].tolist(), f["own"][...].tolist())
      for i in range(3):
          with h5py.File(f"part{i}.h5") as f: print(f["d"][...].tolist())
      """;

  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void written_values_are_in_the_sources(int ranks) {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get().run(folder, "-c", MADE).expectSuccess();
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.openForWriting(folder.resolve("v.h5"), world)) {
            int width = 8 / ranks;
            int[] values = new int[4 * width];
            Arrays.setAll(values, i -> i / width * 8 + world.rank() * width + i % width);
            file.dataset("/v")
                .write(Selection.at(0, (long) world.rank() * width).extent(4, width), values);
          }
        });
    String rows = "";
    StringBuilder expected = new StringBuilder();
    for (int row = 0; row < 4; row++) {
      int first = 8 * row;
      int[] values = new int[8];
      Arrays.setAll(values, i -> first + i);
      rows += (row == 0 ? "" : ", ") + Arrays.toString(values);
      expected.append(
          row == 2
              ? Arrays.toString(Arrays.stream(values).asDoubleStream().toArray())
              : row < 3 ? Arrays.toString(values) : "");
      expected.append(row < 3 ? "\n" : "");
    }
    assertEquals(
        "[" + rows + "] [24, 25, 26, 27, 28, 29, 30, 31]\n" + expected,
        h5py.get().run(folder, "-c", READ).expectSuccess().out());
  }
}
