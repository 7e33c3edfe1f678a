package io.skerry.cache.eviction;

import io.skerry.cache.table.Entry;
import java.util.LinkedHashMap;
import java.util.OptionalLong;

/**
 * The chunks that were evicted recently, each with the limit at which it would have stayed: the
 * limit at its eviction, plus the size of all chunks evicted with it and since. The chunks that
 * were in the cache at its eviction were used after it, and so were those that replaced evicted
 * ones.
 *
 * <p>A chunk is remembered if it would have stayed with the greatest possible limit, but at most
 * {@value #MOST} chunks are remembered, and at most one for each KiB of that limit. Guarded by the
 * eviction lock.
 */
public final class GhostList {
  private static final int MOST = 1 << 16;
  private static final long BYTES_FOR_EACH = 1 << 10;

  private record Name(long dataset, long number) {
    static Name of(Entry entry) {
      return new Name(entry.dataset().id(), entry.number());
    }
  }

  /** Limit at the eviction minus the size evicted before, in order of eviction. */
  private final LinkedHashMap<Name, Long> departed = new LinkedHashMap<>();

  private final Limits limits;

  private Total total = new Total(0, 0);

  /**
   * Number and size of evicted chunks.
   *
   * @param chunks number of chunks
   * @param bytes size of these chunks
   */
  public record Total(long chunks, long bytes) {
    Total since(Total earlier) {
      return new Total(chunks - earlier.chunks, bytes - earlier.bytes);
    }
  }

  GhostList(Limits limits) {
    this.limits = limits;
  }

  /** The evictions so far. */
  Total total() {
    return total;
  }

  /**
   * Adds an evicted chunk.
   *
   * @param entry the chunk
   * @param bytes size of the chunk
   */
  void add(Entry entry, long bytes) {
    Name name = Name.of(entry);
    // Moves the chunk to the end if it is present.
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
   * Removes a chunk that is loaded again.
   *
   * @return the limit in bytes at which it would have stayed; empty if the chunk is not remembered
   */
  OptionalLong back(Entry entry) {
    Long then = departed.remove(Name.of(entry));
    return then == null ? OptionalLong.empty() : OptionalLong.of(then + total.bytes());
  }
}
