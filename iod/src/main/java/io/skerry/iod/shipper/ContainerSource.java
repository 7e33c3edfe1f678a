package io.skerry.iod.shipper;

import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerInfo;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import java.util.Set;

/** Opens the container on the I/O ranks. Methods are local. */
public interface ContainerSource {
  /** Returns the location of the container. Does not fail. */
  EngineLocation location();

  /**
   * Returns the properties of the container. Called on I/O rank 0.
   *
   * @throws RuntimeException if there is no such container; passed on to all ranks
   */
  ContainerInfo info();

  /**
   * Opens the container. Called on each I/O rank; first on I/O rank 0, since the readable mark in
   * shard 0 must not be newer than the state of the other shards.
   *
   * @param shards the shards that this I/O rank owns
   * @throws RuntimeException if the container cannot be opened; passed on to all ranks
   */
  Container open(Set<Integer> shards);

  /**
   * Returns a source that opens the container at a location. Does not fail.
   *
   * @param location the location, whose engine {@link Engines} must find on the I/O ranks
   * @param opening the access and options; its shards are replaced
   */
  static ContainerSource of(EngineLocation location, Opening opening) {
    return new ContainerSource() {
      private EngineProvider engine() {
        return Engines.of(location);
      }

      @Override
      public EngineLocation location() {
        return location;
      }

      @Override
      public ContainerInfo info() {
        return engine().info(location);
      }

      @Override
      public Container open(Set<Integer> shards) {
        return engine().open(location, opening.ofShards(shards));
      }
    };
  }
}
