package io.skerry.cache.jfr;

import jdk.jfr.Description;
import jdk.jfr.Label;
import jdk.jfr.Name;

/** Event: a chunk was loaded, possibly together with others. */
@Name("io.skerry.ChunkLoad")
@Label("Chunk Load")
@Description("A chunk was read and decoded, possibly together with others.")
final class ChunkLoadEvent extends ChunkEvent {
  @Label("Ahead")
  @Description("True if no request had asked for the chunk yet")
  boolean ahead;
}
