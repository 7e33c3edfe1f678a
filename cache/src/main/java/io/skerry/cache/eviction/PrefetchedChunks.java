package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The prefetched chunks that are protected until their use. They are in no eviction queue, because
 * a policy that puts new entries on probation might evict them before their use. A chunk leaves
 * this set and moves to its eviction queue when it is used, when the prefetched chunks exceed their
 * share of the cache, or when evicting other chunks does not free enough memory. Guarded by the
 * eviction lock.
 */
final class PrefetchedChunks {
  /** The size of each entry when it was added, the oldest entry first. */
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

  /** Removes an entry if it is present. */
  void remove(Entry entry) {
    bytes -= Optional.ofNullable(entries.remove(entry)).orElse(0L);
  }

  /**
   * Removes the oldest entry if the total size exceeds {@code most} bytes.
   *
   * @return the entry; empty if none was removed
   */
  Optional<Entry> oldestAbove(long most) {
    if (bytes <= most || entries.isEmpty()) {
      return Optional.empty();
    }
    Entry oldest = entries.keySet().iterator().next();
    remove(oldest);
    return Optional.of(oldest);
  }
}
