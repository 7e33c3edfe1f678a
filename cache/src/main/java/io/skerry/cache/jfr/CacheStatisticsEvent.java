package io.skerry.cache.jfr;

import io.skerry.cache.CacheStatistics;
import jdk.jfr.Category;
import jdk.jfr.DataAmount;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.Period;
import jdk.jfr.StackTrace;
import jdk.jfr.Timespan;

/** What the cache of an open file has done so far and holds; see CacheStatistics. */
@Name("io.skerry.CacheStatistics")
@Label("Chunk Cache Statistics")
@Category({"Skerry", "Chunk Cache"})
@Description("What the cache of an open file has done so far and holds; see CacheStatistics.")
@StackTrace(false)
@Period("1 s")
final class CacheStatisticsEvent extends Event {
  @Label("File")
  String file = "";

  @Label("Hits")
  long hits;

  @Label("Misses")
  long misses;

  @Label("Loads")
  long loads;

  @Label("Located")
  long located;

  @Label("Passed")
  long passed;

  @Label("Prefetched")
  long prefetched;

  @Label("Evictions")
  long evictions;

  @Label("Encodes")
  long encodes;

  @Label("Encoded Ahead")
  long encodedAhead;

  @Label("Stores")
  long stores;

  @Label("Loaded Bytes")
  @DataAmount
  long loadedBytes;

  @Label("Stalls")
  long stalls;

  @Label("Time Stalled")
  @Timespan(Timespan.NANOSECONDS)
  long stallNanos;

  @Label("Chunks Held")
  long chunks;

  @Label("Bytes Held")
  @DataAmount
  long bytes;

  @Label("Unstored Bytes")
  @DataAmount
  long unstoredBytes;

  @Label("Limit between Requests")
  @DataAmount
  long quiescent;

  @Label("Limit while Requests Run")
  @DataAmount
  long active;

  void take(CacheStatistics told) {
    hits = told.hits();
    misses = told.misses();
    loads = told.loads();
    located = told.located();
    passed = told.passed();
    prefetched = told.prefetched();
    evictions = told.evictions();
    encodes = told.encodes();
    encodedAhead = told.encodedAhead();
    stores = told.stores();
    loadedBytes = told.loadedBytes();
    stalls = told.stalls();
    stallNanos = told.stallNanos();
    chunks = told.chunks();
    bytes = told.bytes();
    unstoredBytes = told.unstoredBytes();
    quiescent = told.quiescent();
    active = told.active();
  }
}
