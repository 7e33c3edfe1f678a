package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.Transactions;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.LocalStore;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.spi.StoredFile;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The number of calls of the engine that operations on a file need. */
class EngineCallsTest {
  private static final int TILES = 20;
  private static final Shape SHAPE = Shape.of(TILES, 16, 16);

  @TempDir Path folder;

  /** Opens files for reading, and counts the reads of shards, by method and kind of place. */
  private static final class Counting implements Connector {
    private final Map<String, Integer> calls = new ConcurrentHashMap<>();

    @Override
    public String name() {
      return "counting";
    }

    @Override
    public StoredFile open(Path path, FileAccess access, Communicator world, FileOptions options) {
      EngineLocation location = new EngineLocation("iod", path.toString());
      Container container =
          wrapped(Container.class, Engines.of(location).open(location, Opening.reading()));
      FileRanks ranks = FileRanks.open(world, Operation.OPEN_FILE, path.toString(), "");
      ContainerStore store =
          LocalStore.reading(
              ranks, container, ChecksumLevel.STORE, () -> 1 << 20, Transactions.Version.last());
      ranks.leave();
      ObjectId root = StoredObject.open(store.values(), ObjectId.ROOT).id();
      return new IodFile(new Session(path, access, store, ranks, new CellTiles()), root, options);
    }

    private <T> T wrapped(Class<T> type, T inner) {
      return type.cast(
          Proxy.newProxyInstance(
              EngineCallsTest.class.getClassLoader(),
              new Class<?>[] {type},
              (_, method, arguments) -> call(method, inner, arguments)));
    }

    private Object call(Method method, Object inner, Object[] arguments) throws Throwable {
      if (inner instanceof Shard && arguments != null) {
        String kind = arguments[0] instanceof Place place ? place.part() + " " : "";
        calls.merge(kind + method.getName(), 1, Integer::sum);
      }
      try {
        Object result = method.invoke(inner, arguments);
        return result instanceof Shard shard ? wrapped(Shard.class, shard) : result;
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }

    int count(String call) {
      return calls.getOrDefault(call, 0);
    }

    int all() {
      return calls.values().stream().mapToInt(Integer::intValue).sum();
    }

    H5File open(Path path) {
      return Connectors.open(
          this, path, FileAccess.READ, Communicator.self(), FileOptions.standard());
    }
  }

  /** Creates a container with some datasets of filtered tiles. */
  private Path created(String name, int datasets) {
    Path path = folder.resolve(name);
    DatasetSpec spec =
        DatasetSpec.of(Datatype.I32, SHAPE).filters(Filters.deflate(1)).chunked(1, 16, 16);
    int[] values = new int[TILES * 16 * 16];
    Arrays.setAll(values, i -> i);
    try (H5File file = new ContainerFixture(path, 1).open(FileAccess.CREATE)) {
      for (int i = 0; i < datasets; i++) {
        Dataset dataset = file.createDataset("/d" + i, spec);
        if (i < 2) {
          dataset.write(Selection.all(), values);
        }
      }
    }
    return path;
  }

  private int callsOfOpening(Path path) {
    Counting counting = new Counting();
    try (H5File file = counting.open(path)) {
      assertEquals(SHAPE, file.dataset("/d1").shape());
      return counting.all();
    }
  }

  @Test
  void opening_a_dataset_needs_a_number_of_reads_that_does_not_depend_on_the_file() {
    int few = callsOfOpening(created("few", 2));
    int many = callsOfOpening(created("many", 300));
    assertEquals(few, many);
    assertTrue(few <= 24, "calls: " + few);
  }

  @Test
  void reads_of_an_open_dataset_read_each_tile_once_and_nothing_else_but_versions() {
    Counting counting = new Counting();
    try (H5File file = counting.open(created("run", 2))) {
      Dataset dataset = file.dataset("/d1");
      int[] first = dataset.readInts(Selection.at(0, 0, 0).extent(1, 16, 16));
      int before = counting.all();
      int[] all = dataset.readInts(Selection.all());
      assertArrayEquals(first, Arrays.copyOf(all, first.length));
      // The version of a tile is looked up before the tile is read and after that; only once if it
      // is in the cache, as the first tile is.
      int versions = 2 * TILES - 1;
      assertEquals(TILES - 1 + versions, counting.all() - before, counting.calls::toString);
      assertEquals(2 + versions, counting.count("TILE find"));
      assertEquals(TILES, counting.count("TILE getLater"));
    }
  }

  @Test
  void a_copy_reads_each_tile_once() {
    Counting counting = new Counting();
    try (H5File file = counting.open(created("run", 1));
        H5File target = H5File.create(folder.resolve("copy.h5"))) {
      file.copy("/d0", target, "/d0");
      assertEquals(TILES, counting.count("TILE get"), counting.calls::toString);
      assertArrayEquals(
          file.dataset("/d0").readInts(Selection.all()),
          target.dataset("/d0").readInts(Selection.all()));
    }
  }

  @Test
  void the_chunks_of_a_dataset_are_counted_without_reading_tiles() {
    Counting counting = new Counting();
    try (H5File file = counting.open(created("run", 1))) {
      assertEquals(TILES, file.dataset("/d0").chunks().count());
      assertEquals(0, counting.count("TILE get"));
      assertEquals(TILES, file.dataset("/d0").usage().chunks());
      assertEquals(0, counting.count("TILE get"), counting.calls::toString);
    }
  }
}
