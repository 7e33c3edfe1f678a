package io.skerry.cache.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.StackTrace;

/** Common fields of events about a chunk that was loaded or stored. */
@Category({"Skerry", "Chunk Cache"})
@StackTrace(false)
abstract class ChunkEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Dataset")
  String dataset = "";

  @Label("Chunk")
  @Description("The coordinates of the chunk in the chunk grid")
  String chunk = "";

  @Label("Bytes in Memory")
  @DataAmount
  long bytes;
}
