package io.skerry.integration.interop.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.DatasetSpec;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.format.FormatBounds;
import io.skerry.format.vds.VirtualMapping;
import io.skerry.integration.interop.written.H5pyChecks;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Reads virtual datasets of Skerry with HDF5. */
class VirtualDatasetsForOthersTest {
  private static final long U = Shape.UNLIMITED;

  /** HDF5 takes much longer than Skerry to create many mappings. */
  private static final int MANY = Boolean.getBoolean("skerry.thorough") ? 100_000 : 20_000;

  @TempDir Path folder;

  private void createSources() {
    for (int run = 0; run < 3; run++) {
      try (H5File file = H5File.create(folder.resolve("run_" + run + ".h5"))) {
        int[] values = new int[12];
        for (int i = 0; i < values.length; i++) {
          values[i] = 100 * run + i;
        }
        Shape shape = Shape.of(new long[] {4, 3}, new long[] {U, 3});
        file.createDataset("data", DatasetSpec.of(Datatype.I32, shape).chunked(2, 3))
            .write(Selection.all(), values);
      }
    }
  }

  private static VirtualSource run(int number) {
    return VirtualSource.of("run_" + number + ".h5", "/data");
  }

  private boolean create(Path path, Communicator world, FormatBounds bounds) {
    try (H5File file = H5File.create(path, world, FileOptions.standard().withBounds(bounds))) {
      VirtualLayout.Builder stacked = VirtualLayout.builder();
      VirtualLayout.Builder rows = VirtualLayout.builder();
      for (int run = 0; run < 3; run++) {
        stacked.map(Selection.at(run, 0, 0).extent(1, 4, 3), run(run));
        rows.map(
            Selection.at(run, 0).stride(4, 1).count(2, 1).block(1, 3),
            run(run).select(Selection.at(0, 0).stride(3, 1).count(2, 1).block(1, 3)));
      }
      file.createDataset(
          "stacked", DatasetSpec.of(Datatype.I32, Shape.of(3, 4, 3)).virtual(stacked.build()));
      byte[] fill = {7, 0, 0, 0};
      file.createDataset(
          "rows",
          DatasetSpec.of(Datatype.I32, Shape.of(8, 3)).virtual(rows.build()).fillValue(fill));
      Shape growing = Shape.of(new long[] {4, 3}, new long[] {U, 3});
      file.createDataset(
          "growing",
          DatasetSpec.of(Datatype.I64, growing)
              .virtual(
                  VirtualLayout.builder()
                      .map(
                          Selection.at(0, 0).extent(U, 3),
                          run(1).select(Selection.at(0, 0).extent(U, 3)))
                      .build()));
      Shape blocks = Shape.of(new long[] {12, 3}, new long[] {U, 3});
      file.createDataset(
          "pattern",
          DatasetSpec.of(Datatype.I32, blocks)
              .virtual(
                  VirtualLayout.builder()
                      .map(
                          Selection.at(0, 0).stride(4, 1).count(U, 1).block(4, 3),
                          VirtualSource.of("run_%b.h5", "/data")
                              .select(Selection.at(0, 0).extent(4, 3)))
                      .build()));
      file.createDataset("own", DatasetSpec.of(Datatype.I32, Shape.of(6)))
          .write(Selection.all(), new int[] {1, 2, 3, 4, 5, 6});
      Group group = file.createGroup("group");
      group.createDataset(
          "same",
          DatasetSpec.of(Datatype.I32, Shape.of(4))
              .virtual(
                  VirtualLayout.builder()
                      .map(
                          Selection.blocks(
                              List.of(
                                  new Box(new long[] {0}, new long[] {1}),
                                  new Box(new long[] {2}, new long[] {4}))),
                          VirtualSource.inSameFile("/own").select(Selection.at(1).extent(3)))
                      .build()));
      file.createDataset(
          "empty",
          DatasetSpec.of(Datatype.I32, Shape.of(2)).virtual(VirtualLayout.builder().build()));
    }
    return true;
  }

  @ParameterizedTest
  @CsvSource({"1, EARLIEST", "3, EARLIEST", "1, V110", "3, V110", "1, V200", "3, V200"})
  void virtual_datasets_have_the_same_values_in_HDF5(int ranks, FormatBounds bounds) {
    createSources();
    Path file = folder.resolve("all.h5");
    List<Boolean> unused = LocalRanks.call(ranks, world -> create(file, world, bounds));
    H5pyChecks.reads(
        folder,
        file,
        bounds,
        """
        runs = [np.arange(12).reshape(4, 3) + 100 * run for run in range(3)]
        same(f["stacked"], runs)
        rows = np.full((8, 3), 7)
        for run in range(3):
            rows[run::4] = runs[run][::3]
        same(f["rows"], rows)
        same(f["growing"], runs[1])
        assert f["growing"].dtype == "i8"
        same(f["pattern"], np.concatenate(runs))
        same(f["group/same"], [2, 0, 3, 4])
        same(f["empty"], [0, 0])
        assert all(f[name].is_virtual for name in ("stacked", "rows", "growing", "pattern"))
        sources = f["stacked"].virtual_sources()
        assert [s.file_name for s in sources] == ["run_%d.h5" % run for run in range(3)]
        assert [s.dset_name for s in sources] == ["/data"] * 3
        assert f["pattern"].virtual_sources()[0].file_name == "run_%b.h5"
        assert f["group/same"].virtual_sources()[0].file_name == "."
        """);
    try (H5File opened = H5File.open(file)) {
      assertEquals(3, opened.dataset("stacked").virtualLayout().orElseThrow().mappings().size());
      assertEquals(Optional.empty(), opened.dataset("own").virtualLayout());
      assertEquals(
          VirtualSource.inSameFile("/own").select(Selection.at(1).extent(3)),
          opened.dataset("group/same").virtualLayout().orElseThrow().mappings().get(0).source());
      assertEquals(
          List.of(2, 0, 3, 4),
          Arrays.stream(opened.dataset("group/same").readInts(Selection.all())).boxed().toList());
      assertEquals("virtual", opened.dataset("empty").storage().layout());
    }
  }

  @ParameterizedTest
  @CsvSource({"1.10.8, earliest, EARLIEST", "2.0.0, v110, V110", "2.0.0, latest, V200"})
  void layouts_that_HDF5_accepts_are_created_with_the_same_bytes(
      String hdf5, String libver, FormatBounds bounds) {
    Optional<Oracle> h5py = Oracle.h5py(hdf5);
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 " + hdf5);
    Path theirs = folder.resolve("theirs.h5");
    Path ours = folder.resolve("ours.h5");
    String printed =
        h5py.get().script(folder, "random_virtual.py", theirs, 200, libver).expectSuccess().out();
    StoredMappings stored = StoredMappings.of(theirs);
    Map<String, Shape> shapes = stored.shapes();
    assertEquals(200, shapes.size());
    try (H5File file =
        H5File.create(ours, Communicator.self(), FileOptions.standard().withBounds(bounds))) {
      PrintedMappings.parse(printed)
          .forEach((name, mappings) ->
              file.createDataset(
                  name, DatasetSpec.of(Datatype.I32, shapes.get(name)).virtual(layout(mappings))));
    }
    StoredMappings created = StoredMappings.of(ours);
    assertEquals(shapes, created.shapes());
    Map<String, MemorySegment> actual = created.byName();
    List<String> differ = new ArrayList<>();
    stored
        .byName()
        .forEach((name, expected) -> {
          if (actual.get(name).mismatch(expected) >= 0) {
            differ.add(name);
          }
        });
    assertEquals(List.of(), differ);
  }

  private static VirtualLayout layout(List<VirtualMapping> mappings) {
    VirtualLayout.Builder layout = VirtualLayout.builder();
    for (VirtualMapping mapping : mappings) {
      layout.map(
          mapping.virtual(),
          VirtualSource.of(mapping.file().text(), mapping.dataset().text())
              .select(mapping.source()));
    }
    return layout.build();
  }

  @Test
  void a_file_with_many_mappings_is_as_large_as_that_of_HDF5() throws IOException {
    Optional<Oracle> h5py = Oracle.h5py("2.0.0");
    assumeTrue(h5py.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py.get()
        .run(
            folder,
            "-c",
            """
            import h5py, sys
            many = int(sys.argv[1])
            with h5py.File("theirs.h5", "w", libver="latest") as f:
                plist = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
                here = h5py.h5s.create_simple((many, 4))
                there = h5py.h5s.create_simple((many, 4))
                for i in range(many):
                    here.select_hyperslab((i, 0), (1, 1), None, (1, 4))
                    there.select_hyperslab((many - 1 - i, 0), (1, 1), None, (1, 4))
                    plist.set_virtual(here, b"source-of-all.h5", b"/entry/data", there)
                h5py.h5d.create(f.id, b"all", h5py.h5t.NATIVE_INT32, here, plist)
            """,
            MANY)
        .expectSuccess();
    Path ours = folder.resolve("ours.h5");
    VirtualLayout.Builder layout = VirtualLayout.builder();
    VirtualSource source = VirtualSource.of("source-of-all.h5", "/entry/data");
    for (int i = 0; i < MANY; i++) {
      layout.map(
          Selection.at(i, 0).extent(1, 4),
          source.select(Selection.at(MANY - 1 - i, 0).extent(1, 4)));
    }
    try (H5File file =
        H5File.create(
            ours, Communicator.self(), FileOptions.standard().withBounds(FormatBounds.V200))) {
      file.createDataset(
          "all", DatasetSpec.of(Datatype.I32, Shape.of(MANY, 4)).virtual(layout.build()));
    }
    MemorySegment theirs = StoredMappings.of(folder.resolve("theirs.h5")).byName().get("all");
    assertEquals(-1, StoredMappings.of(ours).byName().get("all").mismatch(theirs));
    long expected = Files.size(folder.resolve("theirs.h5"));
    long size = Files.size(ours);
    // Besides the mappings, HDF5 2.0.0 allocates 1,100 bytes more than Skerry.
    assertTrue(size <= expected && size > expected - 4096, size + " " + expected);
    H5pyChecks.reads(
        folder, ours, FormatBounds.V200, "assert len(f['all'].virtual_sources()) == " + MANY);
  }
}
