package io.skerry.integration.misuse;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.Mpi;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program in which rank 1 does not enter a collective write, but throws an exception and ends
 * MPI, either immediately or after sleeping.
 *
 * <pre>mpirun -n 3 java ... io.skerry.integration.misuse.AbsentRank SLEEPS|LEAVES FILE</pre>
 */
public final class AbsentRank {
  private AbsentRank() {}

  /** The behavior of rank 1 in place of the write. */
  public enum Absence {
    /**
     * The rank first sleeps outside of Skerry for 8 seconds: longer than the 2-second timeout that
     * the tests set for the other ranks, with a margin for a busy machine.
     */
    SLEEPS,
    /** The rank throws an exception immediately. */
    LEAVES
  }

  /** Runs the program on this rank, and prints the exception that ends it, if any. */
  public static void main(String[] arguments) throws InterruptedException {
    int rank = -1;
    try (Mpi mpi = Mpi.start()) {
      rank = mpi.world().rank();
      run(mpi.world(), Absence.valueOf(arguments[0]), Path.of(arguments[1]));
    } catch (RuntimeException e) {
      System.out.println("rank " + rank + " ends: " + e.getMessage());
    }
  }

  /** Runs the program on a communicator. Collective. */
  public static void run(Communicator world, Absence absence, Path path)
      throws InterruptedException {
    H5File file = H5File.create(path, world);
    Dataset kept = file.createDataset("/kept", DatasetSpec.of(Datatype.I32, Shape.of(8)));
    kept.write(Selection.at(world.rank()), new int[] {world.rank() + 1});
    file.flush();
    if (world.rank() == 1) {
      if (absence == Absence.SLEEPS) {
        Thread.sleep(Duration.ofSeconds(8));
      }
      throw new IllegalArgumentException("a mistake outside of Skerry");
    }
    try (file) {
      kept.write(Selection.at(world.rank()), new int[1]);
    }
  }
}
