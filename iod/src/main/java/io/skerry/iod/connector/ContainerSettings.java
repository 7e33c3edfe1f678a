package io.skerry.iod.connector;

import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;

/**
 * The properties of the containers that a connector creates and opens. Immutable.
 *
 * @param shards the number of shards of a new container, at least 1
 * @param checksums the level of checksums
 * @param engine the sizes and limits of the engine
 */
public record ContainerSettings(int shards, ChecksumLevel checksums, EngineOptions engine) {
  /** One shard, checksums of stored values, and the default limits of the engine. */
  public static final ContainerSettings DEFAULT =
      new ContainerSettings(1, ChecksumLevel.STORE, EngineOptions.DEFAULT);
}
