package io.skerry.integration.limits;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.IntStream;

/** Runs a {@link LimitScenario} between two small writes, on 1 and on 2 ranks that are threads. */
final class LimitMain {
  /** The property with the size of the heap in MiB. */
  static final String HEAP = "skerry.limits.heap";

  /** The size of the heap in MiB. */
  static final int MEBIBYTES = Integer.getInteger(HEAP, 256);

  private static final int[] EARLIER = IntStream.range(1, 101).toArray();

  private LimitMain() {}

  /**
   * Runs one scenario on 1 and on 2 ranks.
   *
   * @param arguments the folder for files, the name of the scenario
   */
  public static void main(String[] arguments) throws Exception {
    LimitScenario scenario = LimitScenario.valueOf(arguments[1]);
    for (int ranks : new int[] {1, 2}) {
      Path path = Path.of(arguments[0], scenario + "-" + ranks + ".h5");
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              Dataset earlier = file.createDataset("/earlier", small());
              write(earlier, world);
              scenario.run(file, world);
              file.flush();
              write(file.createDataset("/later", small()), world);
            }
          });
      try (H5File file = H5File.open(path)) {
        for (String name : new String[] {"/earlier", "/later"}) {
          assertArrayEquals(EARLIER, file.dataset(name).readInts(Selection.all()), name);
        }
        scenario.check(file);
      }
      Files.delete(path);
    }
    System.out.println("passed " + scenario);
  }

  private static DatasetSpec small() {
    return DatasetSpec.of(Datatype.I32, Shape.of(EARLIER.length)).chunked(10);
  }

  private static void write(Dataset dataset, Communicator world) {
    boolean first = world.rank() == 0;
    dataset.write(first ? Selection.all() : Selection.none(), first ? EARLIER : new int[0]);
  }
}
