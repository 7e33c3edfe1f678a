package io.skerry.iod.connector.store;

import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ShardMap;
import io.skerry.iod.shipper.option.Placement;

/**
 * The ranks that change tiles when several ranks write together, as client numbers. If all ranks
 * serve, the owner of a tile is the rank that serves its shard, so that no tile is sent after it
 * was encoded. Otherwise tiles are divided among all clients, so that all of them encode.
 * Immutable.
 *
 * @param placement the clients and the I/O ranks
 * @param shards the shards of places
 */
public record TileOwners(Placement placement, ShardMap shards) {
  /** Returns the rank that changes a tile. Local, thread-safe; does not fail. */
  public int ownerOf(Place.Tile tile) {
    if (placement.kind() == Placement.Kind.SHARED && placement.ioRanks() == placement.clients()) {
      return placement.rankOfServer(placement.ownerOf(shards.shardOf(tile)));
    }
    return (int) Long.remainderUnsigned(tile.number() + tile.object(), placement.clients());
  }
}
