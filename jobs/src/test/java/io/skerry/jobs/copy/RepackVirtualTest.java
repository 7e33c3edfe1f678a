package io.skerry.jobs.copy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.VirtualLayout;
import io.skerry.VirtualSource;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Skerry;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests {@code skerry repack --virtual} with files from h5py, and reads the copies with h5py. */
class RepackVirtualTest {
  private static final String MADE =
      """
      import h5py, numpy as np, os
      os.makedirs("runs/100%", exist_ok=True)
      for i in range(3):
          with h5py.File(f"runs/part_{i}.h5", "w") as f: f["d"] = np.arange(4) + 10 * i
          with h5py.File(f"runs/100%/part_{i}.h5", "w") as f: f["d"] = np.arange(4) + 100 * i
      layout = h5py.VirtualLayout((5, 4), "i8")
      for i in range(3):
          layout[i] = h5py.VirtualSource(f"part_{i}.h5", "d", (4,))
      layout[3] = h5py.VirtualSource("./missing.h5", "d", (4,))
      with h5py.File("runs/v.h5", "w") as f:
          f["here"] = np.arange(4) + 70
          layout[4] = h5py.VirtualSource(".", "here", (4,))
          f.create_virtual_dataset("v", layout, fillvalue=-1)
          blocks = h5py.VirtualLayout((3, 4), "i8", maxshape=(None, 4))
          blocks[0:h5py.h5s.UNLIMITED, :] = h5py.VirtualSource("100%%/part_%b.h5", "d", (4,))
          f.create_virtual_dataset("b", blocks, fillvalue=-1)
      """;

  @TempDir Path folder;
  private Oracle h5py = new Oracle("none", "", List.of());

  @BeforeEach
  void makes_virtual_datasets() {
    Optional<Oracle> found = Oracle.h5py("2.0.0");
    assumeTrue(found.isPresent(), "skipped: no Python with h5py on HDF5 2.0.0");
    h5py = found.get();
  }

  private static String skerry(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
    assertEquals(0, code, () -> out.toString(StandardCharsets.UTF_8));
    return out.toString(StandardCharsets.UTF_8);
  }

  private Path repacked(Path to, String... more) {
    List<String> line =
        new ArrayList<>(List.of("repack", folder.resolve("runs/v.h5").toString(), to.toString()));
    line.addAll(List.of(more));
    String unused = skerry(line.toArray(String[]::new));
    return to;
  }

  private String read(Path file, String expression) {
    String script = "import h5py, sys\nwith h5py.File(sys.argv[1]) as f: print(" + expression + ")";
    return h5py.run(folder, "-c", script, file.toString()).expectSuccess().out().strip();
  }

  private void make() {
    h5py.run(folder, "-c", MADE).expectSuccess();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void rebased_names_lead_from_another_folder_to_the_same_elements(int ranks) throws IOException {
    make();
    Path out = Files.createDirectories(folder.resolve("far/away")).resolve("copy.h5");
    for (String dataset : List.of("v", "b")) {
      String before = read(folder.resolve("runs/v.h5"), "f['" + dataset + "'][...].tolist()");
      Path copy = repacked(out, "--virtual=rebase", "--ranks", "" + ranks, "--force");
      assertEquals(before, read(copy, "f['" + dataset + "'][...].tolist()"));
    }
    assertEquals(
        "['../../runs/part_0.h5', '../../runs/part_1.h5', '../../runs/part_2.h5', "
            + "'../../runs/missing.h5', '.'] ['../../runs/100%%/part_%b.h5']",
        read(
            out,
            "[s.file_name for s in f['v'].virtual_sources()],"
                + " [s.file_name for s in f['b'].virtual_sources()]"));
  }

  @Test
  void kept_names_are_the_old_ones() throws IOException {
    make();
    Path copy = repacked(Files.createDirectories(folder.resolve("far")).resolve("copy.h5"));
    assertEquals(
        "part_0.h5 -1", read(copy, "f['v'].virtual_sources()[0].file_name, f['v'][0, 0], sep=' '"));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void materialized_copies_need_no_sources(int ranks) throws IOException {
    make();
    Path v = folder.resolve("runs/v.h5");
    String all = "f['v'][...].tolist(), f['b'][...].tolist()";
    String before = read(v, all);
    Path copy =
        repacked(
            Files.createDirectories(folder.resolve("far")).resolve("copy.h5"),
            "--virtual=materialize",
            "--ranks",
            "" + ranks);
    assertEquals(before, read(copy, all));
    assertEquals(
        "False False None True",
        read(
            copy,
            "f['v'].is_virtual, f['b'].is_virtual, f['v'].chunks, f['b'].maxshape[0] is None, sep=' '"));
    Path filtered =
        repacked(
            folder.resolve("far/filtered.h5"), "--virtual=materialize", "--filter", "/b=gzip=6");
    assertEquals(before, read(filtered, all));
    assertEquals("gzip", read(filtered, "f['b'].compression"));
    Path plain =
        repacked(folder.resolve("far/plain.h5"), "--virtual=materialize", "--filter", "none");
    assertEquals(before, read(plain, all));
    assertEquals("True", read(plain, "f['b'].maxshape[0] is None"));
    assertTrue(skerry("verify", copy.toString()).endsWith("clean\n"));
  }

  @Test
  void materialized_copies_are_sparse_if_the_sources_are() {
    try (H5File file = H5File.create(folder.resolve("s.h5"))) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(6)).sparse(3))
          .write(Selection.at(2).extent(2), new int[] {0, 5});
    }
    try (H5File file = H5File.create(folder.resolve("sv.h5"))) {
      Dataset unused =
          file.createDataset(
              "/v",
              DatasetSpec.of(Datatype.I32, Shape.of(8))
                  .virtual(
                      VirtualLayout.builder()
                          .map(Selection.at(1).extent(6), VirtualSource.of("s.h5", "/d"))
                          .build()));
    }
    String unused =
        skerry(
            "repack",
            folder.resolve("sv.h5").toString(),
            folder.resolve("copy.h5").toString(),
            "--virtual=materialize");
    try (H5File file = H5File.open(folder.resolve("copy.h5"))) {
      Dataset copy = file.dataset("/v");
      assertTrue(copy.isSparse() && copy.virtualLayout().isEmpty());
      assertEquals(Selection.at(3).extent(2), copy.defined(Selection.all()));
      assertEquals(5, copy.readInts(Selection.at(4).extent(1))[0]);
    }
  }
}
