package io.skerry.cache.table;

import io.skerry.cache.CacheStatistics;
import java.util.concurrent.atomic.LongAdder;

/**
 * The counters of {@link CacheStatistics}, except those of stalls. Any thread may increment them.
 */
public final class Counters {
  public final LongAdder hits = new LongAdder();
  public final LongAdder misses = new LongAdder();
  public final LongAdder loads = new LongAdder();
  public final LongAdder located = new LongAdder();
  public final LongAdder passed = new LongAdder();
  public final LongAdder prefetched = new LongAdder();
  public final LongAdder evictions = new LongAdder();
  public final LongAdder encodes = new LongAdder();
  public final LongAdder encodedAhead = new LongAdder();
  public final LongAdder stores = new LongAdder();
  public final LongAdder loadedBytes = new LongAdder();
}
