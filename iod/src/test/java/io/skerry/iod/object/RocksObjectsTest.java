package io.skerry.iod.object;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Runs the programs on the embedded engine. */
class RocksObjectsTest extends ObjectPrograms {
  @TempDir Path folder;

  @Override
  protected Container container(String name, int shards) {
    var location = new EngineLocation("iod", folder.resolve(name).toString());
    Engines.of(location).create(location, shards);
    var container = Engines.of(location).open(location, Opening.writing());
    container.recover();
    return container;
  }

  @Override
  protected int mutations() {
    return 1000;
  }
}
