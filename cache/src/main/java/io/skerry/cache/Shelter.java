package io.skerry.cache;

import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.SequencedSet;

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
  private final SequencedSet<Entry> ahead = new LinkedHashSet<>();
  private Optional<Entry> newest = Optional.empty();

  Shelter(Limits limits) {
    this.limits = limits;
  }

  /** A chunk is being loaded that nobody has asked for. */
  void takeAhead(Entry entry) {
    ahead.addLast(entry);
  }

  /** A chunk has come. */
  void came(Entry entry) {
    if (!ahead.contains(entry)) {
      newest = Optional.of(entry);
    }
    long bytes = ahead.stream().mapToLong(Entry::bytes).sum();
    while (bytes > limits.quiescent() / SHARE) {
      bytes -= ahead.removeFirst().bytes();
    }
  }

  /** Whether a chunk is in here. */
  boolean holds(Entry entry) {
    return limits.quiescent() > 0
        && (entry.isPartial() && newest.filter(entry::equals).isPresent() || ahead.contains(entry));
  }
}
