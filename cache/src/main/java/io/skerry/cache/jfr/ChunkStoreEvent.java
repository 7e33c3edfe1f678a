package io.skerry.cache.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Event: a chunk was encoded and stored, possibly together with others. */
@Name("io.skerry.ChunkStore")
@Label("Chunk Store")
@Description("A chunk was encoded and stored, possibly together with others.")
final class ChunkStoreEvent extends ChunkEvent {
  @Label("Flush")
  @Description(
      "True if a flush stored the chunk, false if an eviction did; a flush records its events when it ends")
  boolean flush;
}
