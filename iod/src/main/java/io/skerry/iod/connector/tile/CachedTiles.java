package io.skerry.iod.connector.tile;

import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The tiles of a dataset as a reader sees them, decoded and kept in the cache of the file. Tiles
 * that need no decoding are not kept, nor those of transactions that are not readable yet: these
 * may still change. Local, thread-safe.
 *
 * @param tiles the tiles
 * @param cache the cache of the file
 * @param readable the newest readable transaction
 */
record CachedTiles(Tiles tiles, TileCache cache, long readable) {
  /** Returns whether tiles may be kept. */
  boolean isUsed() {
    ChunkFormat format = tiles.layout().format();
    return tiles.layout().isDecoded()
        && (format.definedness() == ChunkFormat.Definedness.WRITTEN
            || cache.hasRoom(format.elements() * format.datatype().size()));
  }

  /**
   * Returns a tile from the cache, to which it is added if necessary; empty if it is not stored or
   * must not be kept.
   */
  Optional<MemoryChunk> find(long[] scaled) {
    OptionalLong stored = tiles.transaction(scaled);
    if (stored.isEmpty() || stored.getAsLong() > readable) {
      return Optional.empty();
    }
    long number = tiles.layout().numbers().number(scaled);
    Optional<MemoryChunk> found = cache.find(tiles.array(), number, stored.getAsLong());
    if (found.isPresent()) {
      return found;
    }
    Optional<MemoryChunk> decoded = tiles.decoded(scaled, ChunkFormat::decode);
    // The tile that was decoded is that of the transaction only if it has not been replaced.
    if (decoded.isPresent() && tiles.transaction(scaled).equals(stored)) {
      cache.put(tiles.array(), number, stored.getAsLong(), decoded.get());
    }
    return decoded;
  }
}
