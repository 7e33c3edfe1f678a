package io.skerry.iod.rados;

import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.conformance.EngineConformance;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Runs the tests of engines with the distributed one. */
class CephEngineTest extends EngineConformance {
  @RegisterExtension static final CephTests CEPH = new CephTests();

  private final String unique = CephTests.unique();

  @Override
  protected EngineProvider engine() {
    return new RadosProvider();
  }

  @Override
  protected EngineLocation location(String name) {
    return CEPH.location(unique + "/" + name);
  }
}
