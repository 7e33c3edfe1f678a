package io.skerry.cache.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Event: a chunk was encoded and stored, possibly together with others. */
@Name("io.skerry.ChunkStore")
@Label("Chunk Store")
@Description("A chunk was encoded and stored, perhaps with others at once.")
final class ChunkStoreEvent extends ChunkEvent {
  @Label("Flush")
  @Description("Stored by a flush, recorded when the flush ends, not for eviction")
  boolean flush;
}
