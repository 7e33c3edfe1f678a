package io.skerry.jobs.stat;

import io.skerry.cache.CacheOptions;
import java.util.List;
import java.util.OptionalLong;

/**
 * How datasets are read to see what the chunk cache does.
 *
 * @param orders one after the other
 * @param bytes that the cache has, always; as much as by default if absent
 */
public record CacheTrial(List<ReadingOrder> orders, OptionalLong bytes) {
  /** Copies the list. */
  public CacheTrial {
    orders = List.copyOf(orders);
  }

  /** Reads nothing. */
  public static CacheTrial none() {
    return new CacheTrial(List.of(), OptionalLong.empty());
  }

  /** The options of the cache. Nothing is read ahead, so that all is the same each time. */
  CacheOptions options() {
    CacheOptions standard = CacheOptions.standard().withPrefetch(0);
    return bytes.isPresent() ? standard.withFixedSize(bytes.getAsLong()) : standard;
  }
}
