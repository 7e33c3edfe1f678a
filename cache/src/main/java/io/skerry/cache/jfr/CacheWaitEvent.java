package io.skerry.cache.jfr;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/** Event: a request waited for other requests or threads. */
@Name("io.skerry.CacheWait")
@Label("Request Waiting")
@Category({"Skerry", "Chunk Cache"})
@Description("A request waited for others.")
@StackTrace(false)
final class CacheWaitEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Reason")
  @Description(
      "order: an earlier request to the same elements; memory: that of others; load: a chunk that another request loads; store: another thread that stores")
  String reason = "";

  @Label("Subject")
  @Description("What it needed")
  String subject = "";
}
