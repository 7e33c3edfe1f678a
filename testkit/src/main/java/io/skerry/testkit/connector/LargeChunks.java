package io.skerry.testkit.connector;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.testkit.ranked.Expect;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** The case of {@link ConnectorConformance} on chunks that are larger than the maximum extent. */
final class LargeChunks {
  private LargeChunks() {}

  /** Creates datasets with chunks of the maximum extent, and fails to create larger ones. */
  static void write(H5File file, Communicator world) {
    DatasetSpec fixed = DatasetSpec.of(Datatype.I32, Shape.of(4, 3));
    DatasetSpec growing =
        DatasetSpec.of(Datatype.I32, Shape.of(new long[] {4, 3}, new long[] {Shape.UNLIMITED, 6}));
    Map<String, DatasetSpec> refused =
        Map.of(
            "/dense-0", fixed.chunked(5, 3),
            "/dense-1", fixed.chunked(4, 4),
            "/sparse-0", fixed.sparse(5, 3),
            "/sparse-1", fixed.sparse(4, 4),
            "/growing", growing.chunked(100, 7));
    for (Map.Entry<String, DatasetSpec> each : new TreeMap<>(refused).entrySet()) {
      CollectiveException failure =
          Expect.thrown(
              CollectiveException.class,
              () -> file.createDataset(each.getKey(), each.getValue()),
              each.getKey());
      int dimension = each.getKey().endsWith("0") ? 0 : 1;
      long size = each.getValue().resolvedChunk()[dimension];
      long extent = each.getValue().shape().maximum(dimension);
      String sizes = "dimension=" + dimension + " chunkSize=" + size + " maximumExtent=" + extent;
      Expect.that(String.valueOf(failure.getMessage()).contains(sizes), failure.toString());
      Expect.that(file.root().links().isEmpty(), each.getKey() + " does not exist");
    }
    Dataset limited = file.createDataset("/limited", growing.chunked(100, 6));
    limited.write(Selection.at(world.rank() == 0 ? 3 : 2, 0).extent(1, 3), new int[] {7, 8, 9});
    Dataset empty =
        file.createDataset(
            "/empty",
            DatasetSpec.of(Datatype.I32, Shape.of(new long[] {0}, new long[] {3})).chunked(8));
    empty.extendTo(3);
    empty.write(
        world.rank() == 0 ? Selection.all() : Selection.none(),
        world.rank() == 0 ? new int[] {1, 2, 3} : new int[0]);
  }

  /** Reads what {@link #write} has written. */
  static void read(H5File file, Communicator world) {
    Expect.equal(
        "[7, 8, 9]",
        Arrays.toString(file.dataset("/limited").readInts(Selection.at(3, 0).extent(1, 3))),
        "limited");
    Dataset empty = file.dataset("/empty");
    Expect.equal("[1, 2, 3]", Arrays.toString(empty.readInts(Selection.all())), "extended");
    Expect.equal(
        "[8]", Arrays.toString(empty.specification().resolvedChunk()), "chunk of the extended");
  }
}
