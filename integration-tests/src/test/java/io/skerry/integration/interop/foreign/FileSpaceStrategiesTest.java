package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.integration.interop.written.H5pyChecks;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads and changes files that h5py created with each file space strategy. */
class FileSpaceStrategiesTest {
  private static final int[] NUMBERS = IntStream.range(0, 1000).toArray();

  @TempDir private Path folder;

  private Path make(Oracle h5py, String options) {
    Path path = folder.resolve(h5py.hdf5() + ".h5");
    String made =
        """
        import sys, h5py, numpy as np
        with h5py.File(sys.argv[1], 'w', libver=('v110', 'v110'), %s) as f:
            f['numbers'] = np.arange(1000, dtype='<i4')
            for i in range(6): f['gone%%d' %% i] = np.arange(500 * i)
            for i in range(0, 6, 2): del f['gone%%d' %% i]
        """
            .formatted(options);
    h5py.run(folder, "-c", made, path).expectSuccess();
    return path;
  }

  private static void check(Path path) {
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(NUMBERS, file.dataset("numbers").readInts(Selection.all()));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "fs_strategy='fsm', fs_persist=True  | persistent free space",
        "fs_strategy='page', fs_persist=True | persistent free space",
        "fs_strategy='page'                  | paged space allocation"
      })
  void a_file_whose_space_only_hdf5_can_keep_up_to_date_is_read_but_not_changed(
      String options, String reason) throws IOException {
    for (Oracle h5py : H5pyChecks.oracles()) {
      Path path = make(h5py, options);
      byte[] before = Files.readAllBytes(path);
      check(path);
      CollectiveException refused =
          assertThrows(
              CollectiveException.class,
              () -> H5File.openForWriting(path, Communicator.self()).close());
      assertTrue(refused.getMessage().contains(reason), refused.getMessage());
      assertArrayEquals(before, Files.readAllBytes(path));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "fs_strategy='fsm', fs_threshold=64",
        "fs_strategy='aggregate'",
        "fs_strategy='none'"
      })
  void a_file_whose_free_space_is_forgotten_is_changed_by_skerry_and_then_by_hdf5(String options) {
    for (Oracle h5py : H5pyChecks.oracles()) {
      Path path = make(h5py, options);
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        file.root().setAttribute(Attribute.of("skerry added", 77));
        file.createDataset("/added", DatasetSpec.of(Datatype.I32, Shape.of(1000)))
            .write(Selection.all(), NUMBERS);
      }
      H5pyChecks.changes(h5py, folder, path, "f['more'] = np.arange(3000); del f['gone3']");
      H5pyChecks.reads(
          folder,
          path,
          "same(f['added'], np.arange(1000)); same(f['more'], np.arange(3000))\n"
              + "assert f.attrs['skerry added'] == 77");
      check(path);
    }
  }
}
