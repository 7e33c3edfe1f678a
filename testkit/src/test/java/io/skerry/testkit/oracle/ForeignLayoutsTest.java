package io.skerry.testkit.oracle;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Selection;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Random datasets of all layouts and chunk indexes that h5py writes, at every version bound. */
class ForeignLayoutsTest {
  private static final List<Oracle> H5PY = Oracle.h5py();
  private static final int DATASETS = 120;

  @TempDir Path folder;

  @Test
  void every_element_of_every_layout_is_what_h5py_reads() {
    assumeFalse(H5PY.isEmpty(), "skipped: no Python with h5py");
    int seed = 1;
    for (Oracle h5py : H5PY) {
      for (String bounds :
          List.of("earliest v108", "v108 v108", "earliest latest", "v110 v110", "latest latest")) {
        String[] bound = bounds.split(" ");
        Path file = folder.resolve(h5py.hdf5() + "-" + bounds.replace(' ', '-') + ".h5");
        List<String> lines =
            h5py.script(folder, "layouts.py", file, bound[0], bound[1], seed++, DATASETS)
                .expectSuccess()
                .out()
                .lines()
                .toList();
        assertEquals(DATASETS, lines.size());
        TreeSet<String> indexes = new TreeSet<>();
        for (int ranks : new int[] {1, 3}) {
          List<List<byte[]>> read =
              LocalRanks.call(ranks, world -> read(file, lines, world, indexes));
          compare(lines, read);
        }
        System.out.println(h5py + " " + bounds + ": " + DATASETS + " datasets by " + indexes);
        assertTrue(indexes.size() > 1, "indexes: " + indexes);
      }
    }
  }

  /** What this rank reads: its part of the rows. Collective. */
  private static List<byte[]> read(
      Path path, List<String> lines, Communicator world, TreeSet<String> indexes) {
    List<byte[]> read = new ArrayList<>();
    try (H5File file = H5File.open(path, world)) {
      for (String line : lines) {
        String[] fields = line.split("\t");
        Dataset dataset = file.dataset(fields[0]);
        if (world.rank() == 0) {
          indexes.add(dataset.storage().layout() + " " + dataset.storage().index());
        }
        assertArrayEquals(
            Arrays.stream(fields[1].split(",")).mapToLong(Long::parseLong).toArray(),
            dataset.shape().extent());
        read.add(dataset.readBytes(rows(dataset, world)));
      }
    }
    return read;
  }

  private static Selection rows(Dataset dataset, Communicator world) {
    long[] start = new long[dataset.shape().rank()];
    long[] end = dataset.shape().extent();
    long size = end[0];
    start[0] = size * world.rank() / world.size();
    end[0] = size * (world.rank() + 1) / world.size();
    return start[0] < end[0] ? Selection.blocks(List.of(new Box(start, end))) : Selection.none();
  }

  private static void compare(List<String> lines, List<List<byte[]>> byRank) {
    for (int i = 0; i < lines.size(); i++) {
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      for (List<byte[]> parts : byRank) {
        all.writeBytes(parts.get(i));
      }
      assertEquals(
          lines.get(i).split("\t")[2], Expectations.sha256(all.toByteArray()), lines.get(i));
    }
  }
}
