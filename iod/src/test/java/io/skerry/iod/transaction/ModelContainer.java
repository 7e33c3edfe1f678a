package io.skerry.iod.transaction;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Snapshots;
import java.util.Set;

/** A container for exhaustive tests that serves one shard. Not thread-safe. */
final class ModelContainer implements Container {
  private final ModelShard shard;
  private long mark;

  ModelContainer(int number) {
    shard = new ModelShard(number);
  }

  ModelShard model() {
    return shard;
  }

  @Override
  public EngineLocation location() {
    return EngineLocation.of("model:container");
  }

  @Override
  public ContainerInfo info() {
    throw new UnsupportedOperationException();
  }

  @Override
  public Set<Integer> served() {
    return Set.of(shard.number());
  }

  @Override
  public ModelShard shard(int number) {
    if (number != shard.number()) {
      throw new IllegalArgumentException("shard " + number);
    }
    return shard;
  }

  @Override
  public long readableMark() {
    return mark;
  }

  @Override
  public boolean advance(long expected, long next) {
    if (mark != expected) {
      return false;
    }
    mark = next;
    shard.persist();
    return true;
  }

  @Override
  public boolean isPersistedByMark(int number) {
    return number == 0;
  }

  @Override
  public Snapshots snapshots() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}
}
