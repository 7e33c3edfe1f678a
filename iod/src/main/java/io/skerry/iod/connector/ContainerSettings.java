package io.skerry.iod.connector;

import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;

/**
 * The properties of the containers that a connector creates and opens. Immutable.
 *
 * @param shards the number of shards of a new container; 0 for one per rank that creates it, but at
 *     most {@value #MOST_SHARDS}
 * @param checksums the checksum level
 * @param engine the sizes and limits of the engine
 * @param ioRanks the number of ranks that serve the shards if several ranks open a container; 0 for
 *     as many as there are shards. It is capped at the number of ranks and at the number of shards
 */
public record ContainerSettings(
    int shards, ChecksumLevel checksums, EngineOptions engine, int ioRanks) {
  /** The largest number of shards that is derived from the number of ranks. */
  public static final int MOST_SHARDS = 16;

  /**
   * A shard for each rank, checksums of stored values, and the default limits of the engine.
   *
   * <p>A container that one rank creates has one shard.
   */
  public static final ContainerSettings DEFAULT =
      new ContainerSettings(0, ChecksumLevel.STORE, EngineOptions.DEFAULT);

  /**
   * Checks the numbers.
   *
   * @throws IllegalArgumentException if one is negative
   */
  public ContainerSettings {
    if (shards < 0 || ioRanks < 0) {
      throw new IllegalArgumentException(
          "numbers of shards and I/O ranks: expected=0 or more actual="
              + shards
              + " and "
              + ioRanks);
    }
  }

  /** Creates settings with as many I/O ranks as there are shards. */
  public ContainerSettings(int shards, ChecksumLevel checksums, EngineOptions engine) {
    this(shards, checksums, engine, 0);
  }

  /** Returns these settings with another number of I/O ranks. */
  public ContainerSettings withIoRanks(int number) {
    return new ContainerSettings(shards, checksums, engine, number);
  }

  /** Returns the number of shards of a container that {@code ranks} ranks create. */
  int shards(int ranks) {
    return shards == 0 ? Math.min(ranks, MOST_SHARDS) : shards;
  }

  /**
   * Returns the number of I/O ranks of a container.
   *
   * @param ranks the number of ranks that open it
   * @param stored the number of its shards
   */
  int ioRanks(int ranks, int stored) {
    int most = Math.min(ranks, stored);
    return ioRanks == 0 ? most : Math.min(ioRanks, most);
  }
}
