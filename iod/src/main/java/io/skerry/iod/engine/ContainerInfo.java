package io.skerry.iod.engine;

import java.util.UUID;

/**
 * The properties of a container, which never change.
 *
 * @param id the identifier of the container, chosen at random when it is created
 * @param version the version of the format in which the engine stores the container
 * @param shards the number of shards, at least 1
 */
public record ContainerInfo(UUID id, int version, int shards) {
  /** The largest number of shards. */
  public static final int MOST_SHARDS = 1 << 16;

  /**
   * Checks the number of shards.
   *
   * @throws IllegalArgumentException if it is below 1 or above {@link #MOST_SHARDS}
   */
  public ContainerInfo {
    if (shards < 1 || shards > MOST_SHARDS) {
      throw new IllegalArgumentException(
          "number of shards: expected=1 to " + MOST_SHARDS + " actual=" + shards);
    }
  }
}
