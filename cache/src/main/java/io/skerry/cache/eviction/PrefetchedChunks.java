package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Chunks that were loaded ahead and not asked for yet. They are in no line of evictions, where a
 * policy that lets newcomers prove themselves would have them go before they are reached. When one
 * is used, or there are too many, it takes its place like any that was asked for. Guarded by the
 * lock of evictions.
 */
final class PrefetchedChunks {
  /** By entry what it counted for when it came, the oldest first. */
  private final Map<Entry, Long> entries = new LinkedHashMap<>();

  private long bytes;

  int size() {
    return entries.size();
  }

  void add(Entry entry) {
    long counts = entry.bytes();
    entries.put(entry, counts);
    bytes += counts;
  }

  boolean contains(Entry entry) {
    return entries.containsKey(entry);
  }

  /** Takes an entry out if it is here. */
  void remove(Entry entry) {
    bytes -= Optional.ofNullable(entries.remove(entry)).orElse(0L);
  }

  /** Takes out the oldest if all have more bytes than so many. */
  Optional<Entry> oldestAbove(long most) {
    if (bytes <= most || entries.isEmpty()) {
      return Optional.empty();
    }
    Entry oldest = entries.keySet().iterator().next();
    remove(oldest);
    return Optional.of(oldest);
  }
}
