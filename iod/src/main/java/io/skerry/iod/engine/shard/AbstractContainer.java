package io.skerry.iod.engine.shard;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.Manifest;
import io.skerry.iod.engine.Shard;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A base class for an open container in which shard 0 keeps the readable mark. An engine implements
 * the opening of shards and the storage of the mark. Local, thread-safe after the opening.
 *
 * @param <S> a shard of the engine
 */
public abstract class AbstractContainer<S extends AbstractShard<?>> implements Container {
  private final EngineLocation location;
  private final String path;
  private final Manifest manifest;
  private final Map<Integer, S> shards = new TreeMap<>();

  /**
   * Creates a container without shards.
   *
   * @param path the location, for messages
   */
  protected AbstractContainer(EngineLocation location, String path, Manifest manifest) {
    this.location = location;
    this.path = path;
    this.manifest = manifest;
  }

  /** Adds a shard during the opening. */
  protected final void add(S shard) {
    shards.put(shard.number(), shard);
  }

  /** Returns a live view of the shards in the order of their numbers. */
  protected final Collection<S> open() {
    return Collections.unmodifiableCollection(shards.values());
  }

  /** Returns the properties of the container, or of the snapshot that is open. */
  protected final Manifest manifest() {
    return manifest;
  }

  @Override
  public EngineLocation location() {
    return location;
  }

  @Override
  public ContainerInfo info() {
    return manifest.info();
  }

  @Override
  public Set<Integer> served() {
    return Set.copyOf(shards.keySet());
  }

  @Override
  public Shard shard(int number) {
    return Optional.ofNullable(shards.get(number))
        .orElseThrow(() ->
            new IllegalArgumentException(
                "the shard is not open: expected=one of "
                    + shards.keySet()
                    + " actual="
                    + number
                    + " container="
                    + path));
  }

  private S first() {
    return Optional.ofNullable(shards.get(0))
        .orElseThrow(() ->
            new IllegalStateException(
                "the readable mark is in shard 0, which is not open: open="
                    + shards.keySet()
                    + " container="
                    + path));
  }

  @Override
  public long readableMark() {
    return manifest.transaction().orElseGet(() -> first().mark());
  }

  @Override
  public synchronized boolean advance(long expected, long next) {
    S first = first();
    first.requireWriting();
    if (next < expected) {
      throw new IllegalArgumentException(
          "readable mark: expected=at least " + expected + " actual=" + next);
    }
    boolean isAdvanced = replaceMark(first, expected, next);
    if (isAdvanced) {
      shards.values().forEach(shard -> shard.reached(next));
    }
    return isAdvanced;
  }

  /**
   * Durably replaces the readable mark if it has the expected value.
   *
   * @param first shard 0
   * @return true if it was replaced
   */
  protected abstract boolean replaceMark(S first, long expected, long next);
}
