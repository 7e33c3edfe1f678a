package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.jobs.Skerry;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Runs commands on the sparse frames of one file, and on a virtual dataset of the same frames in
 * two files.
 */
class VirtualSparseCommandsTest {
  private static final int FRAMES = 6;
  private static final int ROWS = 5;
  private static final int COLUMNS = 7;

  /** The frames of the two files alternate. */
  private static final String MAKE =
      """
      import h5py
      with h5py.File("virtual.h5", "w", libver="latest") as f:
          layout = h5py.VirtualLayout((6, 5, 7), "<i4")
          for part in range(2):
              layout[part::2] = h5py.VirtualSource("part%d.h5" % part, "d", (3, 5, 7), "<i4")
          f.create_virtual_dataset("d", layout, fillvalue=-1)
      """;

  @TempDir Path folder;

  @BeforeEach
  void makes_the_files() {
    assumeFalse(Oracle.h5py().isEmpty(), "skipped: no Python with h5py");
    try (H5File whole = H5File.create(folder.resolve("whole.h5"));
        H5File even = H5File.create(folder.resolve("part0.h5"));
        H5File odd = H5File.create(folder.resolve("part1.h5"))) {
      Dataset all = whole.createDataset("d", spec(FRAMES));
      Dataset[] parts = {
        even.createDataset("d", spec(FRAMES / 2)), odd.createDataset("d", spec(FRAMES / 2))
      };
      Random random = new Random(3);
      for (int frame = 0; frame < FRAMES; frame++) {
        for (int hit = 0; hit < 6; hit++) {
          int row = random.nextInt(ROWS);
          int column = random.nextInt(COLUMNS);
          int[] value = {random.nextInt(1000)};
          all.write(Selection.at(frame, row, column), value);
          parts[frame % 2].write(Selection.at(frame / 2, row, column), value);
        }
      }
    }
    Oracle.h5py().getFirst().run(folder, "-c", MAKE).expectSuccess();
  }

  private static DatasetSpec spec(int frames) {
    return DatasetSpec.of(Datatype.I32, Shape.of(frames, ROWS, COLUMNS))
        .sparse(2, 3, 4)
        .fillValue((byte) -1, (byte) -1, (byte) -1, (byte) -1);
  }

  private String run(String... line) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    int code = Skerry.run(Map.of(), new PrintStream(out, true, StandardCharsets.UTF_8), line);
    String text = out.toString(StandardCharsets.UTF_8);
    assertEquals(0, code, () -> String.join(" ", line) + ": " + text);
    return text;
  }

  private String file(String name) {
    return folder.resolve(name).toString();
  }

  @Test
  void defined_lists_the_same_elements() {
    String expected = run("defined", file("whole.h5"), "/d", "--coordinates");
    assertTrue(expected.lines().count() > 20, expected);
    assertEquals(expected, run("defined", file("virtual.h5"), "/d", "--coordinates"));
    assertEquals(
        run("defined", file("whole.h5"), "/d", "1:4,:,2:5", "--count"),
        run("defined", file("virtual.h5"), "/d", "1:4,:,2:5", "--count"));
  }

  @Test
  void dump_omits_the_same_elements() {
    assertEquals(run("dump", file("whole.h5") + ":/d"), run("dump", file("virtual.h5") + ":/d"));
  }

  @Test
  void digest_is_the_same() {
    assertEquals(
        run("digest", file("whole.h5")).replace("whole.h5", ""),
        run("digest", file("virtual.h5")).replace("virtual.h5", ""));
  }

  @Test
  void ls_counts_the_same_elements() {
    assertEquals(defined(run("ls", "--json", file("whole.h5"))), count("whole.h5"));
    assertEquals(defined(run("ls", "--json", file("virtual.h5"))), count("whole.h5"));
  }

  private long count(String name) {
    try (H5File file = H5File.open(folder.resolve(name))) {
      Dataset dataset = file.dataset("d");
      return dataset.defined(Selection.all()).count(dataset.shape());
    }
  }

  @Test
  void stat_counts_the_same_elements() {
    assertEquals(defined(run("stat", "--json", file("virtual.h5"))), count("whole.h5"));
  }

  /** Returns the value of the first member "defined" of a report. */
  private static long defined(String json) {
    Matcher member = Pattern.compile("\"defined\": ?(\\d+)").matcher(json);
    assertTrue(member.find(), json);
    return Long.parseLong(member.group(1));
  }

  @Test
  void export_writes_the_same_coordinates() {
    for (String form : new String[] {"coo", "dense"}) {
      for (String name : new String[] {"whole", "virtual"}) {
        run("export", "--as", form, file(name + ".h5") + ":/d", file(name + form + ".h5"));
      }
      assertEquals(
          run("digest", file("whole" + form + ".h5")).replace("whole", ""),
          run("digest", file("virtual" + form + ".h5")).replace("virtual", ""));
    }
  }

  @Test
  void pca_finds_the_same_components() {
    for (String name : new String[] {"whole", "virtual"}) {
      run("pca", file(name + ".h5") + ":/d", "--components", "2", "--out", file(name + "pca.h5"));
    }
    assertEquals(
        run("dump", file("wholepca.h5") + ":/components"),
        run("dump", file("virtualpca.h5") + ":/components"));
  }
}
