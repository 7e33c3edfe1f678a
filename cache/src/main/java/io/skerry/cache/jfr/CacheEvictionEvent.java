package io.skerry.cache.jfr;

import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * Event: the cache searched for chunks to evict, or stored chunks so that they could be evicted.
 */
@Name("io.skerry.CacheEviction")
@Label("Eviction Pass")
@Category({"Skerry", "Chunk Cache"})
@Description(
    "The cache searched for chunks to evict, or stored chunks so that they could be evicted.")
@StackTrace(false)
final class CacheEvictionEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Evicted Chunks")
  long evicted;

  @Label("Evicted Bytes")
  @DataAmount
  long evictedBytes;

  @Label("Stored Chunks")
  long stored;
}
