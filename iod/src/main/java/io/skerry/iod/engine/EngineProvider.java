package io.skerry.iod.engine;

/**
 * A storage engine: creates, opens and removes containers. An engine is found as a service by
 * {@link Engines}. All methods are local and thread-safe.
 *
 * <p>A container that several processes use is created by one of them, and opened by each of them
 * with the shards that it serves. All methods throw an {@link EngineException} if the storage
 * fails.
 */
public interface EngineProvider {
  /** Returns the scheme of the locations of this engine, in lower case. Does not fail. */
  String scheme();

  /**
   * Creates a container without values, whose readable mark is 0. A container whose creation was
   * interrupted does not open, and can be removed.
   *
   * @param location the location, with the scheme of this engine
   * @param shards the number of shards, 1 to {@link ContainerInfo#MOST_SHARDS}
   * @return the properties of the new container
   * @throws ContainerException if the location is taken, or the place above it does not exist
   * @throws IllegalArgumentException if the number of shards is out of range
   */
  ContainerInfo create(EngineLocation location, int shards);

  /**
   * Returns the properties of a container, which need not be closed.
   *
   * @throws ContainerException if there is no complete container of a known version
   * @throws io.skerry.exception.FormatException if the description of the container is damaged
   */
  ContainerInfo info(EngineLocation location);

  /**
   * Opens a container. A container opened for writing has to be recovered before its first change,
   * see {@link Shard#recover}.
   *
   * <p>An opening for reading sees the state at the time of the opening; if the container is being
   * changed meanwhile, reads may fail with an {@link EngineException}. A snapshot does not change.
   *
   * @throws ContainerException if there is no complete container of a known version, if it lacks
   *     the snapshot, or if another opener writes to one of the shards
   * @throws io.skerry.exception.FormatException if the description of the container is damaged
   * @throws IllegalArgumentException if the container lacks one of the shards
   */
  Container open(EngineLocation location, Opening opening);

  /**
   * Removes a container with its snapshots, or what an interrupted creation or removal left.
   *
   * @throws ContainerException if there is neither a container nor a part of one, or if an opener
   *     writes to it
   */
  void remove(EngineLocation location);

  /**
   * Returns whether there is anything at a location that prevents the creation of a container:
   * complete, incomplete or foreign.
   */
  boolean isTaken(EngineLocation location);

  /**
   * Returns the number of bytes that are stored for a container and its snapshots; those that are
   * changed meanwhile may be counted or not.
   *
   * @throws ContainerException if there is no container
   */
  long bytes(EngineLocation location);

  /**
   * Gives a container that is not open another name in the same place above it. An interrupted call
   * may leave it with both names.
   *
   * @throws ContainerException if there is no complete container, or the other location is taken
   */
  void move(EngineLocation from, EngineLocation to);

  /** Returns the location of another container beside one: its name has a suffix. Does not fail. */
  EngineLocation beside(EngineLocation location, String suffix);

  /** Returns whether each container is a folder of the file system at its path. Does not fail. */
  boolean isInFileSystem();
}
