package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import java.util.LinkedHashMap;
import java.util.OptionalLong;

/**
 * Which chunks were evicted lately, and how high the limit would have had to be for each to stay:
 * as high as it was, and as much higher as has gone with it and since. What was there when it went
 * was used after it, and so was what came for what has gone.
 *
 * <p>Remembered are those that would have stayed if the limit were as high as it may get, but no
 * more than {@value #MOST}, and one for each KiB of that. Guarded by the lock of evictions.
 */
public final class GhostList {
  private static final int MOST = 1 << 16;
  private static final long BYTES_FOR_EACH = 1 << 10;

  private record Name(long dataset, long number) {
    static Name of(Entry entry) {
      return new Name(entry.dataset().id(), entry.number());
    }
  }

  /** In the order of their going: the limit then, less what had gone before. */
  private final LinkedHashMap<Name, Long> departed = new LinkedHashMap<>();

  private final Limits limits;

  private Total total = new Total(0, 0);

  /**
   * What has gone.
   *
   * @param bytes of those chunks
   */
  public record Total(long chunks, long bytes) {
    Total since(Total earlier) {
      return new Total(chunks - earlier.chunks, bytes - earlier.bytes);
    }
  }

  GhostList(Limits limits) {
    this.limits = limits;
  }

  /** What has gone so far. */
  Total total() {
    return total;
  }

  /**
   * A chunk is evicted.
   *
   * @param bytes that it had
   */
  void add(Entry entry, long bytes) {
    Name name = Name.of(entry);
    // To the end, if it was there.
    departed.remove(name);
    departed.put(name, limits.quiescent() - total.bytes());
    total = new Total(total.chunks() + 1, total.bytes() + bytes);
    long reach = limits.options().most();
    long most = Math.min(MOST, reach / BYTES_FOR_EACH);
    while (!departed.isEmpty() && (departed.size() > most || oldest() > reach)) {
      departed.pollFirstEntry();
    }
  }

  private long oldest() {
    return departed.firstEntry().getValue() + total.bytes();
  }

  /**
   * A chunk comes back: the limit at which it would have been there still. Empty if it was not
   * there, or too long ago. It is forgotten.
   */
  OptionalLong back(Entry entry) {
    Long then = departed.remove(Name.of(entry));
    return then == null ? OptionalLong.empty() : OptionalLong.of(then + total.bytes());
  }
}
