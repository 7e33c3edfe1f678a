package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.oracle.Oracle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Compares the rule about chunks that are larger than the extent with that of the HDF5 library. */
class LargeChunksTest {
  private static final String SCRIPT = "large_chunks.py";

  @TempDir Path folder;

  /** The shape of a dataset and of its chunks. */
  private record Case(long[] extent, long[] maximum, long[] chunk) {
    static Case draw(Random random) {
      long[] extent = random.longs(2, 0, 4).toArray();
      long[] maximum = new long[2];
      for (int d = 0; d < 2; d++) {
        long more = extent[d] + random.nextInt(3);
        maximum[d] = random.nextInt(3) == 0 ? Shape.UNLIMITED : Math.max(1, more);
      }
      return new Case(extent, maximum, random.longs(2, 1, 7).toArray());
    }

    String line() {
      return List.of(extent, maximum, chunk).stream()
          .map(sizes ->
              Arrays.stream(sizes)
                  .map(size -> size == Shape.UNLIMITED ? -1 : size)
                  .mapToObj(Long::toString)
                  .collect(Collectors.joining("x")))
          .collect(Collectors.joining(" "));
    }

    DatasetSpec spec(DatasetSpec.Storage storage) {
      DatasetSpec plain = DatasetSpec.of(Datatype.I32, Shape.of(extent, maximum));
      return storage == DatasetSpec.Storage.SPARSE ? plain.sparse(chunk) : plain.chunked(chunk);
    }
  }

  @Test
  void the_same_chunks_are_refused_as_by_the_hdf5_library() throws IOException {
    List<Oracle> all = Oracle.h5py();
    assumeTrue(!all.isEmpty(), "skipped: no Python with h5py");
    Random random = new Random(5);
    List<Case> cases = IntStream.range(0, 300).mapToObj(_ -> Case.draw(random)).toList();
    Path lines = folder.resolve("cases.txt");
    Files.write(lines, cases.stream().map(Case::line).toList());
    List<String> dense = ours(cases, DatasetSpec.Storage.DENSE);
    assertTrue(dense.contains("refused") && dense.contains("created"), dense.toString());
    assertEquals(dense, ours(cases, DatasetSpec.Storage.SPARSE));
    for (Oracle h5py : all) {
      Path file = folder.resolve("theirs.h5");
      List<String> theirs =
          h5py.script(folder, SCRIPT, "create", file, lines).expectSuccess().out().lines().toList();
      for (int i = 0; i < cases.size(); i++) {
        assertEquals(theirs.get(i), dense.get(i), h5py + " " + cases.get(i).line());
      }
    }
  }

  private List<String> ours(List<Case> cases, DatasetSpec.Storage storage) {
    try (H5File file = H5File.create(folder.resolve(storage + ".h5"))) {
      return IntStream.range(0, cases.size())
          .mapToObj(i -> {
            try {
              var unused = file.createDataset("/d" + i, cases.get(i).spec(storage));
              return "created";
            } catch (CollectiveException e) {
              assertTrue(String.valueOf(e.getMessage()).contains("chunkSize="), e.toString());
              return "refused";
            }
          })
          .toList();
    }
  }

  @Test
  void a_file_with_chunks_larger_than_its_extent_is_read_and_changed() {
    List<Oracle> all = Oracle.h5py();
    assumeTrue(!all.isEmpty(), "skipped: no Python with h5py");
    for (Oracle h5py : all) {
      Path path = folder.resolve("large-" + h5py.hdf5() + ".h5");
      h5py.script(folder, SCRIPT, "write", path).expectSuccess();
      try (H5File file = H5File.openForWriting(path, Communicator.self())) {
        Dataset dataset = file.dataset("/d");
        assertEquals(List.of(6L, 2L), dataset.storage().chunk());
        assertArrayEquals(IntStream.range(0, 12).toArray(), dataset.readInts(Selection.all()));
        dataset.write(Selection.all(), IntStream.range(100, 112).toArray());
      }
      h5py.script(folder, SCRIPT, "check", path).expectSuccess();
    }
  }
}
