package io.skerry.iod.object;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Snapshots;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A container in memory, for tests: each shard is a map of versions. Thread-safe. */
final class MemoryContainer implements Container {
  private final String name;
  private final ContainerInfo info;
  private final List<Shard> shards = new ArrayList<>();
  private long mark;

  MemoryContainer(String name, int shards) {
    this.name = name;
    this.info = new ContainerInfo(new UUID(1, 2), 1, shards);
    for (int number = 0; number < shards; number++) {
      this.shards.add(new MemoryShard(number));
    }
  }

  @Override
  public EngineLocation location() {
    return new EngineLocation("memory", name);
  }

  @Override
  public ContainerInfo info() {
    return info;
  }

  @Override
  public Set<Integer> served() {
    return IntStream.range(0, shards.size()).boxed().collect(Collectors.toSet());
  }

  @Override
  public Shard shard(int number) {
    if (number >= shards.size()) {
      throw new IllegalArgumentException("no such shard: " + number);
    }
    return shards.get(number);
  }

  @Override
  public synchronized long readableMark() {
    return mark;
  }

  @Override
  public synchronized boolean advance(long expected, long next) {
    if (mark != expected) {
      return false;
    }
    mark = next;
    return true;
  }

  @Override
  public Snapshots snapshots() {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  static void requireSize(long size) {
    if (size > Changes.LARGEST_VALUE) {
      throw new IllegalArgumentException("a value is too large: " + size);
    }
  }
}
