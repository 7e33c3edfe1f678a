package io.skerry.testkit.trial;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.chunk.filter.Filters;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A program to be killed: each turn extends two datasets by a row per rank, writes the turn's
 * number into all new elements and some old ones, and flushes.
 *
 * <pre>EndlessWriter FILE FOLDER</pre>
 *
 * Each rank puts a file {@code pid-RANK} with its process id into the folder; rank 0 prints {@code
 * flushed TURN} after each flush and puts it into a file {@code flushed}.
 */
public final class EndlessWriter {
  static final int COLUMNS = 64;
  static final String DENSE = "/dense";
  static final String SPARSE = "/sparse";

  private EndlessWriter() {}

  /** Runs until killed. */
  public static void main(String[] args) {
    System.exit(Mpi.run(world -> write(world, Path.of(args[0]), Path.of(args[1]))));
  }

  private static int write(Communicator world, Path path, Path folder) throws Exception {
    Files.writeString(
        folder.resolve("pid-" + world.rank()), Long.toString(ProcessHandle.current().pid()));
    int n = world.size();
    try (H5File file = H5File.create(path, world)) {
      DatasetSpec spec = DatasetSpec.of(Datatype.I32, Shape.of(0, COLUMNS).unlimited(0));
      Dataset dense = file.createDataset(DENSE, spec.chunked(3, 16).filters(Filters.deflate(1)));
      Dataset sparse =
          file.createDataset(
              SPARSE, spec.sparse(3, 16).filters(Filters.shuffle(), Filters.deflate(1)));
      for (int turn = 1; ; turn++) {
        for (Dataset dataset : new Dataset[] {dense, sparse}) {
          dataset.extend((long) turn * n);
          int[] values = new int[COLUMNS];
          Arrays.fill(values, turn);
          long row = (long) (turn - 1) * n + world.rank();
          dataset.write(Selection.at(row, 0).extent(1, COLUMNS), values);
          // The first element of the file tells in which turn it was flushed.
          int mine = world.rank() == turn % n ? 1 : 0;
          Selection mark = mine == 1 ? Selection.at(0, 0) : Selection.none();
          dataset.write(mark, Arrays.copyOf(values, mine));
        }
        file.flush();
        if (world.rank() == 0) {
          System.out.println("flushed " + turn);
          System.out.flush();
          Files.writeString(folder.resolve("flushed"), Integer.toString(turn));
        }
      }
    }
  }
}
