package io.skerry.cache;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** A chunk was encoded and stored, perhaps with others at once. */
@Name("io.skerry.ChunkStore")
@Label("Chunk Store")
@Category({"Skerry", "Chunk Cache"})
@Description("A chunk was encoded and stored, perhaps with others at once.")
@StackTrace(false)
final class ChunkStoreEvent extends Event {
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

  @Label("Flush")
  @Description("By a flush, which tells so when it has ended, and not to make room")
  boolean flush;
}
