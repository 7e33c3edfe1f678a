package io.skerry.iod.object;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Version;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** Containers for tests of several packages. */
public enum TestContainers {
  /** In memory. */
  MEMORY,
  /** The embedded engine. */
  ROCKS;

  /** Creates a container that is open for writing. */
  public Container create(Path folder, String name, int shards) {
    if (this == MEMORY) {
      return new MemoryContainer(name, shards);
    }
    var location = new EngineLocation("iod", folder.resolve(name).toString());
    Engines.of(location).create(location, shards);
    var container = Engines.of(location).open(location, Opening.writing());
    container.recover();
    return container;
  }

  /** Makes changes in the next transaction, which is readable when the method returns. */
  public static void commit(Container container, Consumer<StoreChanges> work) {
    long mark = container.readableMark();
    try (var changes = ObjectStore.of(container, ChecksumLevel.STORE).change(mark + 1)) {
      work.accept(changes);
      changes.prepare(Durability.BUFFERED);
    }
    if (!container.advance(mark, mark + 1)) {
      throw new IllegalStateException("the readable mark has moved");
    }
  }

  /** Returns the values at the readable mark. */
  public static Values values(Container container) {
    return ObjectStore.of(container, ChecksumLevel.STORE).at(container.readableMark());
  }

  /** Returns the names of the places that have values at the readable mark. */
  public static List<String> places(Container container) {
    return ObjectPrograms.visible(container, container.readableMark()).stream()
        .map(Version::place)
        .map(PlaceNames::of)
        .toList();
  }
}
