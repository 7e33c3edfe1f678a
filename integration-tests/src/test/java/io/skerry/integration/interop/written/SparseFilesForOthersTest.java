package io.skerry.integration.interop.written;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Expectations;
import io.skerry.testkit.oracle.Oracle;
import io.skerry.testkit.oracle.ProcessResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Reads sparse datasets with a second implementation, and with the tools of HDF5. */
class SparseFilesForOthersTest {
  @TempDir Path folder;

  private static void write(Path path, List<DatasetScript> scripts, Communicator world) {
    for (int step = 0; step < SparseMatrix.STEPS; step++) {
      try (H5File file =
          step == 0 ? H5File.create(path, world) : H5File.openForWriting(path, world)) {
        for (DatasetScript script : scripts) {
          Dataset dataset =
              step == 0
                  ? file.createDataset(script.path(), script.spec())
                  : file.dataset(script.path());
          script.perform(step, dataset, world.rank());
        }
      }
    }
  }

  static int[] rankNumbers() {
    return Boolean.getBoolean("skerry.thorough") ? new int[] {1, 2, 4} : new int[] {1, 4};
  }

  @ParameterizedTest
  @MethodSource("rankNumbers")
  void the_reader_in_python_finds_the_same_elements_and_values(int ranks) throws Exception {
    Optional<Oracle> numpy = Oracle.numpy();
    assumeTrue(numpy.isPresent(), "skipped: no Python with numpy");
    Path file = folder.resolve("sparse.h5");
    List<DatasetScript> scripts = SparseMatrix.scripts(ranks, 200 + ranks);
    LocalRanks.run(ranks, world -> write(file, scripts, world));
    Expectations expected = new Expectations();
    for (DatasetScript script : scripts) {
      PlainArray model = script.model();
      byte[] coordinates = model.definedCoordinates();
      byte[] values = model.definedValues();
      expected.sparse(
          script.path(), script.dtype(), model.shape(), coordinates, values, model.fill());
    }
    Path facts = Files.writeString(folder.resolve("facts.txt"), expected.text());
    ProcessResult ran =
        numpy.orElseThrow().script(folder, "check_sparse.py", Oracle.tools(), file, facts);
    System.out.print(ranks + " ranks, read_sparse.py: " + ran.out());
    String start = "checked " + expected.count() + ", wrong 0, elements ";
    assertTrue(ran.out().startsWith(start), ran.out() + ran.err());
    LocalRanks.run(ranks == 4 ? 2 : 1, world -> readBack(file, scripts, world));
  }

  private static void readBack(Path path, List<DatasetScript> scripts, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      for (DatasetScript script : scripts) {
        PlainArray model = script.model();
        Dataset dataset = file.dataset(script.path());
        Selection all = Selection.at(new long[model.shape().rank()]).extent(model.shape().extent());
        assertEquals(
            model.definedValues().length / model.fill().length,
            dataset.defined(all).count(dataset.shape()),
            script.path());
        byte[] read = dataset.readBytes(all);
        assertTrue(Arrays.equals(model.bytes(), read), script.path());
      }
    }
  }

  /** Writes a dense {@code /entry/full} and a sparse {@code /entry/events} or a link to it. */
  private Path stock(Path events) {
    Path main = folder.resolve("main.h5");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = H5File.create(main, world)) {
            Shape shape = Shape.of(4, 30, 20).unlimited(0);
            DatasetSpec dense = DatasetSpec.of(Datatype.U16, shape).chunked(1, 16, 16);
            short[] counted = new short[1200];
            for (int i = 0; i < counted.length; i++) {
              counted[i] = (short) (i + world.rank() * 1200);
            }
            file.createDataset("/entry/full", dense.filters(Filters.shuffle(), Filters.deflate(6)))
                .write(Selection.at(world.rank() * 2L, 0, 0).extent(2, 30, 20), counted);
            if (!events.equals(main)) {
              file.createExternalLink("/entry/events", events.getFileName().toString(), "/events");
            } else {
              events(file, "/entry/events");
            }
          }
          if (!events.equals(main)) {
            try (H5File file = H5File.create(events, world)) {
              events(file, "/events");
            }
          }
        });
    return main;
  }

  private static void events(H5File file, String path) {
    Shape shape = Shape.of(4, 30, 20).unlimited(0);
    Dataset events =
        file.createDataset(path, DatasetSpec.of(Datatype.U16, shape).sparse(1, 16, 16));
    events.write(Selection.at(1, 2, 3).extent(2, 4, 5), new short[40]);
  }

  @ParameterizedTest
  @CsvSource({"2.0.0,Invalid layout class", "1.10.8,bad version number for layout message"})
  void h5py_reads_the_objects_beside_a_sparse_dataset_and_refuses_the_dataset(
      String hdf5, String refusal) throws Exception {
    Optional<Oracle> h5py = Oracle.h5py(hdf5);
    assumeTrue(h5py.isPresent(), "skipped: no h5py on HDF5 " + hdf5);
    Path file = stock(folder.resolve("main.h5"));
    String program =
        """
        import sys, h5py, numpy as np
        with h5py.File(sys.argv[1]) as f:
            full = f['/entry/full'][()]
            print(full.dtype, full.shape, (full.ravel() == np.arange(2400)).all(), sorted(f['/entry']))
            try:
                f['/entry/events']
            except Exception as e:
                print(e)
        """;
    ProcessResult ran = h5py.orElseThrow().run(folder, "-c", program, file).expectSuccess();
    List<String> lines = ran.out().lines().toList();
    assertEquals("uint16 (4, 30, 20) True ['events', 'full']", lines.getFirst());
    assertTrue(lines.getLast().contains(refusal), lines.getLast());
    System.out.println(h5py.orElseThrow() + ": " + lines.getLast());
  }

  @Test
  void h5ls_lists_a_file_with_a_sparse_dataset_and_h5dump_fails() {
    assumeTrue(Oracle.tool("h5dump").isPresent(), "skipped: no h5dump");
    Path file = stock(folder.resolve("main.h5"));
    ProcessResult listed = Oracle.tool("h5ls").orElseThrow().run(folder, "-r", file);
    System.out.println("h5ls: code=" + listed.code() + "\n" + listed.out() + listed.err());
    assertEquals(0, listed.code());
    assertTrue(listed.out().matches("(?s).*/entry/events +Dataset \\*ERROR\\*.*"), listed.out());
    assertTrue(
        listed.out().matches("(?s).*/entry/full +Dataset \\{4/Inf, 30, 20}.*"), listed.out());
    ProcessResult dumped = Oracle.tool("h5dump").orElseThrow().run(folder, file);
    System.out.println("h5dump: code=" + dumped.code() + " " + dumped.out() + dumped.err());
    assertEquals(1, dumped.code());
    assertTrue(dumped.err().contains("h5dump error: internal error"), dumped.err());
    assertTrue(!dumped.out().contains("DATASET"), dumped.out());
  }

  @Test
  void h5dump_reads_the_main_file_whole_when_the_sparse_data_are_behind_a_link() {
    assumeTrue(Oracle.tool("h5dump").isPresent(), "skipped: no h5dump");
    Path file = stock(folder.resolve("main.events.h5"));
    ProcessResult dumped = Oracle.tool("h5dump").orElseThrow().run(folder, file);
    assertEquals("", dumped.err());
    assertEquals(0, dumped.code());
    assertTrue(dumped.out().contains("EXTERNAL_LINK \"events\""), dumped.out());
    assertTrue(dumped.out().contains("(3,29,18): 2398, 2399"), dumped.out());
    try (H5File opened = H5File.open(file)) {
      Dataset events = opened.dataset("/entry/events");
      assertEquals(40, events.defined(Selection.all()).count(events.shape()));
    }
  }
}
