package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Expectations;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads and extends dense files of several ranks with other tools and libraries. */
class DenseFilesForOthersTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  @TempDir static Path folder;

  /** Writes all scripts in steps that end with a flush, a reopen and a close. Collective. */
  private static void write(Path path, List<DatasetScript> scripts, Communicator world) {
    H5File file = H5File.create(path, world);
    try {
      for (int step = 0; step < DenseMatrix.STEPS; step++) {
        DecoratedFile.decorate(file, step);
        for (DatasetScript script : scripts) {
          Dataset dataset =
              step == 0
                  ? file.createDataset(script.path(), script.spec())
                  : file.dataset(script.path());
          script.perform(step, dataset, world.rank());
          DecoratedFile.decorate(dataset, step);
        }
        if (step == 0) {
          file.flush();
        } else if (step == 1) {
          file.close();
          file = H5File.openForWriting(path, world);
        }
      }
    } finally {
      file.close();
    }
  }

  private static Path written(int ranks, Expectations expected) {
    Path path = folder.resolve("dense" + ranks + ".h5");
    List<DatasetScript> scripts = DenseMatrix.scripts(ranks, 100 + ranks);
    if (!Files.exists(path)) {
      long start = System.nanoTime();
      LocalRanks.run(ranks, world -> write(path, scripts, world));
      System.out.printf(
          "%d ranks wrote %d datasets, %d bytes, %.1f s%n",
          ranks, scripts.size(), path.toFile().length(), (System.nanoTime() - start) / 1e9);
    }
    for (DatasetScript script : scripts) {
      PlainArray model = script.model();
      expected.dataset(script.path(), script.dtype(), model.shape(), model.bytes());
      DecoratedFile.expectDecorated(expected, script.path(), DenseMatrix.STEPS);
    }
    DecoratedFile.expectDecorated(expected, DenseMatrix.STEPS);
    return path;
  }

  private static void check(Oracle h5py, Path file, Expectations expected) throws Exception {
    Path facts = Files.writeString(folder.resolve("facts.txt"), expected.text());
    ProcessResult ran = h5py.script(folder, "check.py", file, facts);
    System.out.print(h5py + " " + file.getFileName() + ": " + ran.out());
    assertEquals("checked " + expected.count() + ", wrong 0", ran.out().strip(), ran.err());
  }

  /** Two ranks are included because only their file has data blocks with pages. */
  static int[] rankNumbers() {
    return THOROUGH ? new int[] {1, 2, 4} : new int[] {1, 2};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void h5py_reads_every_value_link_and_attribute_as_written(int ranks) throws Exception {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    Expectations expected = new Expectations();
    Path file = written(ranks, expected);
    for (Oracle h5py : H5PY) {
      check(h5py, file, expected);
    }
  }

  @Test
  void skerry_reads_its_own_files() {
    Path file = written(2, new Expectations());
    List<DatasetScript> scripts = DenseMatrix.scripts(2, 102);
    LocalRanks.run(
        3,
        world -> {
          try (H5File opened = H5File.open(file, world)) {
            for (DatasetScript script : scripts) {
              byte[] read = opened.dataset(script.path()).readBytes(Selection.all());
              assertEquals(
                  Expectations.sha256(script.model().bytes()),
                  Expectations.sha256(read),
                  script.path());
            }
          }
        });
  }

  @Test
  void h5dump_h5ls_and_h5stat_report_no_error() {
    Optional<Oracle> h5dump = Oracle.tool("h5dump");
    assumeTrue(h5dump.isPresent(), "skipped: no h5dump");
    Expectations expected = new Expectations();
    Path file = written(2, expected);
    ProcessResult dumped = h5dump.orElseThrow().run(folder, "-p", file);
    assertEquals("", dumped.err());
    assertEquals(0, dumped.code());
    assertTrue(dumped.out().contains("DATASET \"holes_filtered\""));
    assertFalse(
        dumped.out().toLowerCase(Locale.ROOT).contains("unable to"), "an error amid the dump");
    for (String tool : List.of("h5ls", "h5stat")) {
      Object[] arguments = tool.equals("h5ls") ? new Object[] {"-rv", file} : new Object[] {file};
      ProcessResult ran = Oracle.tool(tool).orElseThrow().run(folder, arguments);
      assertEquals("", ran.err(), tool);
      assertEquals(0, ran.code(), tool);
      assertFalse(ran.out().contains("*ERROR*"), tool);
    }
    System.out.println(h5dump.orElseThrow() + ": " + dumped.out().lines().count() + " lines");
  }

  @Test
  void h5py_and_skerry_extend_a_file_in_turns() throws Exception {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    Path source = written(2, new Expectations());
    // The h5py that appends to a file in each round.
    List<List<Oracle>> turns =
        THOROUGH ? H5PY.stream().map(h5py -> List.of(h5py, h5py)).toList() : List.of(H5PY);
    for (List<Oracle> turn : turns) {
      Path file = folder.resolve("continued" + turns.indexOf(turn) + ".h5");
      Files.copy(source, file, StandardCopyOption.REPLACE_EXISTING);
      Expectations expected = new Expectations();
      for (int round = 0; round < turn.size(); round++) {
        List<String> lines =
            turn.get(round)
                .script(folder, "append.py", file, round)
                .expectSuccess()
                .out()
                .lines()
                .toList();
        assertTrue(lines.size() > 20, "datasets that grew: " + lines.size());
        expected = new Expectations();
        Expectations facts = expected;
        LocalRanks.run(
            2,
            world -> continued(file, lines, world, world.rank() == 0 ? facts : new Expectations()));
      }
      for (Oracle reader : H5PY) {
        check(reader, file, expected);
      }
      System.out.println(turn + " and Skerry continued a file in turns: " + expected.count());
    }
  }

  /** Reads the values that h5py appended, then appends further values. Collective. */
  private static void continued(
      Path path, List<String> lines, Communicator world, Expectations facts) {
    try (H5File file = H5File.openForWriting(path, world)) {
      for (String line : lines) {
        String[] fields = line.split("\t");
        Dataset dataset = file.dataset(fields[0]);
        byte[] read = dataset.readBytes(Selection.all());
        assertEquals(fields[3], Expectations.sha256(read), line);
        long[] start = dataset.shape().extent();
        if (dataset.shape().maximum(0) < 0) {
          dataset.extend(start[0] + 5);
        }
        long[] extent = dataset.shape().extent();
        PlainArray model = new PlainArray(dataset.shape(), new byte[dataset.datatype().size()]);
        Selection all = Selection.at(new long[extent.length]).extent(extent);
        byte[] before = dataset.readBytes(all);
        model.write(all, before);
        long[] last = new long[extent.length];
        java.util.Arrays.setAll(last, i -> extent[i] - 1 - (i == 0 ? world.rank() : 0));
        byte[] element = new byte[dataset.datatype().size()];
        java.util.Arrays.fill(element, (byte) 0x3c);
        dataset.write(
            Selection.at(last),
            dataset.datatype(),
            java.lang.foreign.MemorySegment.ofArray(element));
        for (int rank = 0; rank < world.size(); rank++) {
          long[] theirs = last.clone();
          theirs[0] = extent[0] - 1 - rank;
          model.write(Selection.at(theirs), element);
        }
        facts.dataset(fields[0], fields[1], dataset.shape(), model.bytes());
      }
    }
  }
}
