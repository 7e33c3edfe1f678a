package io.skerry.cache.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Event: a chunk was read and decoded, possibly together with others. */
@Name("io.skerry.ChunkLoad")
@Label("Chunk Load")
@Description("A chunk was fetched and decoded, perhaps with others at once.")
final class ChunkLoadEvent extends ChunkEvent {
  @Label("Ahead")
  @Description("No request had asked for the chunk yet")
  boolean ahead;
}
