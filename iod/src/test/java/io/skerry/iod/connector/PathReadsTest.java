package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.DatasetSpec;
import io.skerry.datatype.Datatype;
import io.skerry.iod.connector.store.ContainerStore;
import io.skerry.iod.connector.store.FileRanks;
import io.skerry.iod.connector.store.LocalStore;
import io.skerry.iod.connector.store.Session;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.StoredObject;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.selection.Shape;
import io.skerry.spi.StoredDataset;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Counts the reads of the container that the path of an object needs. */
class PathReadsTest {
  @TempDir Path folder;

  private final AtomicInteger reads = new AtomicInteger();

  /** Returns a store whose current values count the calls that read them. */
  private ContainerStore counted(ContainerStore store) {
    return (ContainerStore)
        Proxy.newProxyInstance(
            ContainerStore.class.getClassLoader(),
            new Class<?>[] {ContainerStore.class},
            (_, method, arguments) -> {
              Object result = method.invoke(store, arguments);
              return method.getName().equals("values") ? counted((Values) result) : result;
            });
  }

  private Values counted(Values values) {
    return (Values)
        Proxy.newProxyInstance(
            Values.class.getClassLoader(),
            new Class<?>[] {Values.class},
            (_, method, arguments) -> {
              reads.incrementAndGet();
              return method.invoke(values, arguments);
            });
  }

  private IodFile create() {
    EngineLocation location = new EngineLocation("iod", folder.resolve("c").toString());
    var unused = Engines.of(location).create(location, 2);
    try (Container container = Engines.of(location).open(location, Opening.writing())) {
      LocalStore.createRoot(container, ChecksumLevel.STORE);
    }
    FileRanks ranks = FileRanks.open(Communicator.self(), Operation.OPEN_FILE, "c", "");
    Container container = Engines.of(location).open(location, Opening.writing());
    ContainerStore store =
        counted(LocalStore.writing(ranks, container, ChecksumLevel.STORE, () -> 0));
    ranks.leave();
    Session session = new Session(Path.of("c"), FileAccess.WRITE, store, ranks, new CellTiles());
    return new IodFile(
        session, StoredObject.open(store.values(), ObjectId.ROOT).id(), FileOptions.standard());
  }

  private int readsOf(StoredDataset dataset, String type) {
    int before = reads.get();
    assertEquals(Optional.of(type), dataset.specification().committed());
    return reads.get() - before;
  }

  @Test
  void the_path_of_a_committed_datatype_is_not_searched_again_after_new_objects() {
    IodFile file = create();
    var unused = file.createDatatype("/type", Datatype.I32);
    StoredDataset dataset =
        file.createDataset(
            "/d", DatasetSpec.of(Datatype.I32, Shape.of(2)).sharing(Optional.of("/type")));
    int first = readsOf(dataset, "/type");
    int second = readsOf(dataset, "/type");
    for (int i = 0; i < 100; i++) {
      var unusedGroup = file.createGroup("/a" + i);
      assertEquals(second, readsOf(dataset, "/type"), "reads at first: " + first);
    }
    file.createHardLink("/a", "/type");
    assertEquals(Optional.of("/a"), dataset.specification().committed());
    file.unlink("/a");
    assertEquals(Optional.of("/type"), dataset.specification().committed());
    file.move("/type", "/a0/type");
    assertEquals(Optional.of("/a0/type"), dataset.specification().committed());
    var reference = file.reference("/a50");
    assertEquals(Optional.of("/a50"), file.contents().pathOf(reference.target().address()));
    var unusedGroup = file.createGroup("/new");
    assertEquals(
        Optional.of("/new"), file.contents().pathOf(file.reference("/new").target().address()));
    file.close();
  }
}
