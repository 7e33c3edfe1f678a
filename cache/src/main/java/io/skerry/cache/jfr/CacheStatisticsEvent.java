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

/**
 * Event: the counters of the cache of an open file, the number and size of the chunks in it, and
 * its limits; see {@link CacheStatistics}.
 */
@Name("io.skerry.CacheStatistics")
@Label("Chunk Cache Statistics")
@Category({"Skerry", "Chunk Cache"})
@Description(
    "The statistics of the cache of an open file since it was opened; see CacheStatistics.")
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

  void take(CacheStatistics statistics) {
    hits = statistics.hits();
    misses = statistics.misses();
    loads = statistics.loads();
    located = statistics.located();
    passed = statistics.passed();
    prefetched = statistics.prefetched();
    evictions = statistics.evictions();
    encodes = statistics.encodes();
    encodedAhead = statistics.encodedAhead();
    stores = statistics.stores();
    loadedBytes = statistics.loadedBytes();
    stalls = statistics.stalls();
    stallNanos = statistics.stallNanos();
    chunks = statistics.chunks();
    bytes = statistics.bytes();
    unstoredBytes = statistics.unstoredBytes();
    quiescent = statistics.quiescent();
    active = statistics.active();
  }
}
