package io.skerry.iod.rocksdb;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.conformance.EngineConformance;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

/** Runs the tests of engines with the embedded one. */
class RocksConformanceTest extends EngineConformance {
  @TempDir Path folder;

  @Override
  protected EngineProvider engine() {
    return new RocksProvider();
  }

  @Override
  protected EngineLocation location(String name) {
    return EngineLocation.of("iod:" + folder.resolve(name));
  }
}
