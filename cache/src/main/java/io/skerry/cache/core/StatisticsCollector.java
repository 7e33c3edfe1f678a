package io.skerry.cache.core;

import io.skerry.cache.CacheStatistics;
import io.skerry.cache.eviction.Limits;
import io.skerry.cache.jfr.StatisticsEmitter;
import io.skerry.cache.scheduling.Admission;
import io.skerry.cache.table.Counters;
import io.skerry.cache.table.Ledger;

/** Collects the statistics of a cache, for callers and for the Java Flight Recorder. */
final class StatisticsCollector implements AutoCloseable {
  private final Counters counters;
  private final Ledger ledger;
  private final Admission admission;
  private final Limits limits;
  private final StatisticsEmitter emitter;

  /**
   * Creates a collector that does not publish yet.
   *
   * @param file the name of the file, for the recorder
   */
  StatisticsCollector(
      String file, Counters counters, Ledger ledger, Admission admission, Limits limits) {
    this.counters = counters;
    this.ledger = ledger;
    this.admission = admission;
    this.limits = limits;
    this.emitter = new StatisticsEmitter(file, this::collect);
  }

  /** Returns the current counters, contents and limits. */
  CacheStatistics collect() {
    return new CacheStatistics(
        counters.hits.sum(),
        counters.misses.sum(),
        counters.loads.sum(),
        counters.located.sum(),
        counters.passed.sum(),
        counters.prefetched.sum(),
        counters.evictions.sum(),
        counters.encodes.sum(),
        counters.encodedAhead.sum(),
        counters.stores.sum(),
        counters.loadedBytes.sum(),
        admission.waits(),
        admission.waitNanos(),
        ledger.chunks(),
        ledger.bytes(),
        ledger.unstored(),
        limits.quiescent(),
        limits.active());
  }

  /** Publishes the statistics once a second until the collector is closed. */
  void publish() {
    emitter.start();
  }

  /**
   * Stops publishing, after publishing once more if publishing had started. A second call has no
   * effect.
   */
  @Override
  public void close() {
    emitter.close();
  }
}
