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
@Description("A request waited for other requests or threads.")
@StackTrace(false)
final class CacheWaitEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Reason")
  @Description(
      "order: an earlier request for the same elements; memory: memory that other requests use; load: a chunk that another request loads; store: a thread that stores chunks")
  String reason = "";

  @Label("Subject")
  @Description("The chunk, request or memory that the request waited for")
  String subject = "";
}
