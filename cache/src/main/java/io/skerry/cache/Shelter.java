package io.skerry.cache;

import java.util.LinkedHashMap;
import java.util.Optional;

/**
 * The chunks that are likely to be wanted next, whatever a policy says of newcomers: the newest, if
 * part of it was used, and what was loaded ahead, up to a quarter of the limit. Without them, who
 * reads or writes a chunk piece by piece would have it loaded for each piece, and who walks through
 * a dataset each chunk twice. They stay when the cache goes down to its limit between requests, but
 * not when a request needs their room. A cache that is to keep nothing has none.
 *
 * <p>Guarded by the lock of evictions.
 */
final class Shelter {
  private static final int SHARE = 4;

  private final Limits limits;

  /** In the order in which they were asked for: what each had when it came. */
  private final LinkedHashMap<Entry, Long> ahead = new LinkedHashMap<>();

  private Optional<Entry> newest = Optional.empty();
  private long bytes;

  Shelter(Limits limits) {
    this.limits = limits;
  }

  /** A chunk is being loaded that nobody has asked for. */
  void takeAhead(Entry entry) {
    count(entry, Entry.OVERHEAD);
  }

  /** A chunk has come. */
  void came(Entry entry) {
    if (ahead.containsKey(entry)) {
      count(entry, entry.bytes());
    } else {
      newest = Optional.of(entry);
    }
    while (!ahead.isEmpty() && (bytes > limits.quiescent() / SHARE || isFirstGone())) {
      bytes -= ahead.pollFirstEntry().getValue();
    }
  }

  private void count(Entry entry, long now) {
    bytes += now - ahead.getOrDefault(entry, 0L);
    ahead.put(entry, now);
  }

  private boolean isFirstGone() {
    return ahead.firstEntry().getKey().state() instanceof ChunkState.Gone;
  }

  /** Whether a chunk is in here. */
  boolean holds(Entry entry) {
    return limits.quiescent() > 0
        && (entry.isPartial() && newest.filter(entry::equals).isPresent()
            || ahead.containsKey(entry));
  }
}
