package io.skerry.integration.interop.foreign;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.testkit.oracle.Expectations;
import java.io.ByteArrayOutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads datasets in parts, the rows distributed over the ranks, and compares the result with the
 * output of another program.
 *
 * @param lines one for each dataset: path, extent and SHA-256 of the values, separated by tabs
 */
record RowsByRank(List<String> lines) {
  RowsByRank {
    lines = List.copyOf(lines);
  }

  /**
   * Reads and compares.
   *
   * @param seen called with each dataset on rank 0
   */
  void check(Path path, int ranks, Consumer<Dataset> seen) {
    compare(LocalRanks.call(ranks, world -> read(path, world, seen)));
  }

  /** Returns this rank's part of the rows of each dataset. Collective. */
  private List<byte[]> read(Path path, Communicator world, Consumer<Dataset> seen) {
    List<byte[]> read = new ArrayList<>();
    try (H5File file = H5File.open(path, world)) {
      for (String line : lines) {
        String[] fields = line.split("\t");
        Dataset dataset = file.dataset(fields[0]);
        if (world.rank() == 0) {
          seen.accept(dataset);
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

  private void compare(List<List<byte[]>> byRank) {
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
