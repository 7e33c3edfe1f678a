package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.H5File;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.mpi.Reduction;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.Locale;

/**
 * The program of one rank on Skerry's side of {@link VirtualRanks}; its arguments are {@code TASK
 * FILE RUNS}. Rank 0 prints one line for each run: the time in seconds, and the sum of the values
 * of all ranks.
 */
public final class VirtualRank {
  private VirtualRank() {}

  /** Runs one rank under {@code mpirun}. */
  public static void main(String[] args) {
    try (Mpi mpi = Mpi.start()) {
      Communicator world = mpi.world();
      for (int run = 0; run < Integer.parseInt(args[2]); run++) {
        world.barrier();
        long start = System.nanoTime();
        short[] values = read(args[0], Path.of(args[1]), world);
        world.barrier();
        double seconds = (System.nanoTime() - start) / 1e9;
        long sum = world.allReduce(VirtualReads.sum(values), Reduction.SUM);
        if (world.rank() == 0) {
          System.out.printf(Locale.ROOT, "%.6f %d%n", seconds, sum);
        }
      }
    }
  }

  private static short[] read(String task, Path path, Communicator world) {
    try (H5File file = H5File.open(path, world)) {
      Dataset dataset = file.dataset("v");
      if (!task.equals("share")) {
        return dataset.readShorts(Selection.all());
      }
      Shape shape = dataset.shape();
      long share = shape.extent(0) / world.size();
      return dataset.readShorts(
          Selection.at(world.rank() * share, 0, 0).extent(share, shape.extent(1), shape.extent(2)));
    }
  }
}
