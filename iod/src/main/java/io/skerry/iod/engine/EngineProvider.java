package io.skerry.iod.engine;

/**
 * A storage engine, which creates, opens and removes containers. {@link Engines} finds engines as
 * services. All methods are local and thread-safe.
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
   * @throws ContainerException if the location is taken, or its parent does not exist
   * @throws IllegalArgumentException if the number of shards is out of range
   */
  ContainerInfo create(EngineLocation location, int shards);

  /**
   * Returns the properties of a container, which may be open.
   *
   * @throws ContainerException if there is no complete container of a known version
   * @throws io.skerry.exception.FormatException if the description of the container is damaged
   */
  ContainerInfo info(EngineLocation location);

  /**
   * Opens a container. A container opened for writing must be recovered before its first change;
   * see {@link Shard#recover}.
   *
   * <p>A container opened for reading shows its state at the time of the opening; if it is changed
   * meanwhile, reads may fail with an {@link EngineException}. A snapshot does not change.
   *
   * @throws ContainerException if there is no complete container of a known version, if it lacks
   *     the snapshot, or if another opener writes to one of the shards
   * @throws io.skerry.exception.FormatException if the description of the container is damaged
   * @throws IllegalArgumentException if the container lacks one of the shards
   */
  Container open(EngineLocation location, Opening opening);

  /**
   * Removes a container with its snapshots, or the remains of an interrupted creation or removal.
   *
   * @throws ContainerException if there is neither a container nor a part of one, or if an opener
   *     writes to it
   */
  void remove(EngineLocation location);

  /**
   * Returns whether a location holds anything that prevents the creation of a container there: a
   * complete or incomplete container, or something foreign.
   */
  boolean isTaken(EngineLocation location);

  /**
   * Returns the number of bytes that are stored for a container and its snapshots; bytes that
   * change meanwhile may or may not be counted.
   *
   * @throws ContainerException if there is no container
   */
  long bytes(EngineLocation location);

  /**
   * Renames a container that is not open; its parent stays the same. An interrupted call may leave
   * it with both names.
   *
   * @throws ContainerException if there is no complete container, or the other location is taken
   */
  void move(EngineLocation from, EngineLocation to);

  /** Returns the sibling location whose name is that of a location plus a suffix. Does not fail. */
  EngineLocation beside(EngineLocation location, String suffix);

  /** Returns whether each container is a folder of the file system at its path. Does not fail. */
  boolean isInFileSystem();
}
