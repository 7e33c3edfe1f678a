package io.skerry.testkit.connector;

import io.skerry.Attribute;
import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Creates, opens, writes and checks the file that the cases of {@link TransactionConformance} use.
 * The file contains a dataset, a map and an attribute, all of which hold the same number.
 *
 * @param connector the connector that stores the file
 */
record TransactionFiles(Connector connector) {
  /** A case, which receives the path of a container to create. */
  @FunctionalInterface
  interface Story {
    void play(Path path, Communicator world);
  }

  /** Returns cases in the order of their names. */
  static List<RankedCase> cases(Map<String, Story> stories) {
    return stories.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> new RankedCase(e.getKey(), world -> play(world, e.getValue())))
        .toList();
  }

  private static void play(Communicator world, Story story) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      story.play(folder.file("run"), world);
      world.barrier();
    }
  }

  H5File open(Path path, FileAccess access, Communicator world) {
    return Connectors.open(connector, path, access, world, FileOptions.standard());
  }

  H5File create(Path path, Communicator world) {
    H5File file = open(path, FileAccess.CREATE, world);
    Dataset unused =
        file.createDataset(
            "/values",
            DatasetSpec.of(Datatype.I32, Shape.of(new long[] {8}, new long[] {64})).chunked(2));
    MapObject map = file.createMap("/map", Datatype.I32, Datatype.I64);
    Expect.equal("/map", map.path(), "path of the map");
    return file;
  }

  /** Writes a number to all elements and to a pair of each rank, and as an attribute. */
  static void write(H5File file, Communicator world, int number) {
    Dataset values = file.dataset("/values");
    int[] all = new int[(int) values.shape().elements()];
    Arrays.fill(all, number);
    values.write(Selection.all(), all);
    file.map("/map").typed(Integer.class, Long.class).put(world.rank(), (long) number);
    file.root().setAttribute(Attribute.of("number", number));
  }

  /** Requires the state that {@link #write} leaves. */
  static void expect(H5File file, Communicator world, int number) {
    for (int value : file.dataset("/values").readInts(Selection.all())) {
      Expect.equal(number, value, "an element");
    }
    Expect.equal(
        Optional.of((long) number),
        file.map("/map").typed(Integer.class, Long.class).get(world.rank()),
        "the pair of this rank");
    Expect.equal(
        (long) number,
        file.root().attribute("number").orElseThrow().longs()[0],
        "the attribute of version " + number);
  }
}
