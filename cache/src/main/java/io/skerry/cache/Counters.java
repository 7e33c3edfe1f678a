package io.skerry.cache;

import java.util.concurrent.atomic.LongAdder;

/** The counts behind {@link CacheStatistics}; any thread adds. */
final class Counters {
  final LongAdder hits = new LongAdder();
  final LongAdder misses = new LongAdder();
  final LongAdder loads = new LongAdder();
  final LongAdder located = new LongAdder();
  final LongAdder passed = new LongAdder();
  final LongAdder prefetched = new LongAdder();
  final LongAdder evictions = new LongAdder();
  final LongAdder encodes = new LongAdder();
  final LongAdder encodedAhead = new LongAdder();
  final LongAdder stores = new LongAdder();
  final LongAdder loadedBytes = new LongAdder();
}
