package io.skerry.jobs.stat;

import io.skerry.cache.CacheOptions;
import java.util.List;
import java.util.OptionalLong;

/**
 * The reads with which {@code skerry stat} measures the chunk cache.
 *
 * @param orders the orders in which each dataset is read, one after another; empty to read nothing
 * @param bytes the fixed size of the cache in bytes; empty for the default size, which may grow
 */
public record CacheTrial(List<ReadingOrder> orders, OptionalLong bytes) {
  public CacheTrial {
    orders = List.copyOf(orders);
  }

  /** Returns a trial that reads nothing. */
  public static CacheTrial none() {
    return new CacheTrial(List.of(), OptionalLong.empty());
  }

  /** Returns the options of the cache. Prefetching is off, so that the results are reproducible. */
  CacheOptions options() {
    CacheOptions standard = CacheOptions.standard().withPrefetch(0);
    return bytes.isPresent() ? standard.withFixedSize(bytes.getAsLong()) : standard;
  }
}
