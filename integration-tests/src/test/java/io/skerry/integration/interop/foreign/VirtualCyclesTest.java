package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Oracle;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads virtual datasets that are their own source through other virtual datasets. */
class VirtualCyclesTest {
  private static final String MAKE =
      """
      import h5py
      from h5py import h5s
      def make(file, name, source, dataset, most=(4,), rows=slice(0, 4)):
          layout = h5py.VirtualLayout((4,), "<i4", most)
          layout[rows] = h5py.VirtualSource(source, dataset, (4,), "<i4", most)[rows]
          with h5py.File(file, "a", libver="latest") as f:
              f.create_virtual_dataset(name, layout, fillvalue=7)
      growing = dict(most=(None,), rows=slice(0, h5s.UNLIMITED))
      for name, more in (("d", {}), ("growing", growing)):
          make("first.h5", "into-" + name, "a.h5", name, **more)
          make("a.h5", name, "b.h5", name, **more)
          make("b.h5", name, "c.h5", name, **more)
          make("c.h5", name, "a.h5", name, **more)
      make("a.h5", "own", "a.h5", "own")
      with h5py.File("a.h5", "a", libver="latest") as f:
          layout = h5py.VirtualLayout((4,), "<i4")
          layout[0:2] = h5py.VirtualSource("a.h5", "good", (2,), "<i4")
          f["good"] = [1, 2]
          f.create_virtual_dataset("after", layout, fillvalue=7)
      """;

  @TempDir Path folder;

  @BeforeEach
  void makes_virtual_datasets() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  @ParameterizedTest
  @CsvSource({
    "1, a, d, a.h5:/d b.h5:/d c.h5:/d a.h5:/d",
    "2, a, d, a.h5:/d b.h5:/d c.h5:/d a.h5:/d",
    "1, first, into-d, a.h5:/d b.h5:/d c.h5:/d a.h5:/d",
    "1, a, own, a.h5:/own a.h5:/own",
    "2, a, growing, a.h5:/growing b.h5:/growing c.h5:/growing a.h5:/growing",
  })
  void a_read_is_refused_and_names_the_chain(int ranks, String file, String name, String chain) {
    String names = chain.replace(" ", " -> ").replaceAll("(\\w+\\.h5)", folder + "/$1");
    List<Boolean> unused = LocalRanks.call(ranks, world -> check(world, file + ".h5", name, names));
  }

  private boolean check(Communicator world, String name, String object, String chain) {
    try (H5File file = H5File.open(folder.resolve(name), world)) {
      List<Runnable> calls =
          List.of(
              () -> {
                int[] values = file.dataset(object).readInts(Selection.all());
                assertEquals(0, values.length);
              },
              () -> assertEquals(Selection.none(), file.dataset(object).defined(Selection.all())));
      for (Runnable call : calls) {
        CollectiveException e = assertThrows(CollectiveException.class, call::run);
        assertTrue(e.getMessage().contains("actual=" + chain), e::getMessage);
      }
      if (name.equals("a.h5")) {
        assertArrayEquals(new int[] {1, 2, 7, 7}, file.dataset("after").readInts(Selection.all()));
      }
    }
    return true;
  }
}
