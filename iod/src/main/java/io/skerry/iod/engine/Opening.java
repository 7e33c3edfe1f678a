package io.skerry.iod.engine;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The arguments with which a container is opened.
 *
 * @param access reading, or reading and writing
 * @param shards the shards that this process serves; empty for all shards of the container
 * @param snapshot the name of the snapshot to open instead of the current state
 * @param options sizes and limits
 */
public record Opening(
    ContainerAccess access,
    Optional<Set<Integer>> shards,
    Optional<String> snapshot,
    EngineOptions options) {

  /**
   * Creates an opening with a copy of the set of shards.
   *
   * @throws IllegalArgumentException if a snapshot is to be opened for writing
   */
  public Opening {
    if (access == ContainerAccess.WRITE && snapshot.isPresent()) {
      throw new IllegalArgumentException(
          "a snapshot can only be read: snapshot=" + snapshot.get() + " access=" + access);
    }
    shards = shards.map(Set::copyOf);
  }

  /** Returns an opening of all shards for reading, with the default options. */
  public static Opening reading() {
    return new Opening(
        ContainerAccess.READ, Optional.empty(), Optional.empty(), EngineOptions.DEFAULT);
  }

  /** Returns an opening of all shards for writing, with the default options. */
  public static Opening writing() {
    return new Opening(
        ContainerAccess.WRITE, Optional.empty(), Optional.empty(), EngineOptions.DEFAULT);
  }

  /** Returns an opening of all shards of a snapshot for reading, with the default options. */
  public static Opening ofSnapshot(String name) {
    return new Opening(
        ContainerAccess.READ, Optional.empty(), Optional.of(name), EngineOptions.DEFAULT);
  }

  /** Returns this opening with the given options. */
  public Opening with(EngineOptions other) {
    return new Opening(access, shards, snapshot, other);
  }

  /** Returns this opening with the given shards only. */
  public Opening ofShards(Set<Integer> served) {
    return new Opening(access, Optional.of(served), snapshot, options);
  }

  /**
   * Returns the numbers of the shards to open, in ascending order.
   *
   * @throws IllegalArgumentException if the container has no shard with one of the numbers
   */
  public SortedSet<Integer> shardsOf(ContainerInfo container) {
    Set<Integer> all =
        IntStream.range(0, container.shards()).boxed().collect(Collectors.toUnmodifiableSet());
    Set<Integer> wanted = shards.orElse(all);
    if (!all.containsAll(wanted)) {
      throw new IllegalArgumentException(
          "shards to open: expected=0 to " + (container.shards() - 1) + " actual=" + wanted);
    }
    return Collections.unmodifiableSortedSet(new TreeSet<>(wanted));
  }
}
