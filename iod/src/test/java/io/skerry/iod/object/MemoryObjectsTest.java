package io.skerry.iod.object;

import io.skerry.iod.engine.Container;

/** Runs the programs on a container in memory. */
class MemoryObjectsTest extends ObjectPrograms {
  @Override
  protected Container container(String name, int shards) {
    return new MemoryContainer(name, shards);
  }

  @Override
  protected int mutations() {
    return 10_000;
  }
}
