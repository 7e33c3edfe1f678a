package io.skerry.cache;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A chunk was fetched and decoded, perhaps with others at once. */
@Name("io.skerry.ChunkLoad")
@Label("Chunk Load")
@Category({"Skerry", "Chunk Cache"})
@Description("A chunk was fetched and decoded, perhaps with others at once.")
@StackTrace(false)
final class ChunkLoadEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Dataset")
  String dataset = "";

  @Label("Chunk")
  @Description("Its coordinates in the grid of chunks")
  String chunk = "";

  @Label("Bytes in Memory")
  @DataAmount
  long bytes;

  @Label("Ahead")
  @Description("Nobody had asked for it yet")
  boolean ahead;
}
