package io.skerry.cache.eviction;

import io.skerry.cache.table.DatasetChunks;
import io.skerry.cache.table.Entry;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The recently evicted chunks. For each of them, the list estimates the limit at which the chunk
 * would still be in the cache: the limit at its eviction, plus its own size and the sizes of all
 * chunks evicted since.
 *
 * <p>The list holds a chunk as long as the greatest possible limit would have kept the chunk in the
 * cache, but at most {@value #MOST} chunks, and at most one for each KiB of that limit. Guarded by
 * the eviction lock.
 */
public final class GhostList {
  private static final int MOST = 1 << 16;
  private static final long BYTES_FOR_EACH = 1 << 10;

  private record Name(long dataset, long number) {
    static Name of(Entry entry) {
      return new Name(entry.dataset().id(), entry.number());
    }
  }

  /**
   * For each chunk, the limit at its eviction minus the total size of the chunks evicted before it.
   * The chunks are in order of eviction.
   */
  private final LinkedHashMap<Name, Long> departed = new LinkedHashMap<>();

  /**
   * The chunk numbers of the listed chunks, by dataset. With this map, removing the chunks of a
   * dataset takes time proportional to their count.
   */
  private final Map<Long, Set<Long>> numbers = new HashMap<>();

  private final Limits limits;

  private Total total = new Total(0, 0);

  /**
   * Number and size of evicted chunks.
   *
   * @param chunks number of chunks
   * @param bytes size of these chunks in bytes
   */
  public record Total(long chunks, long bytes) {
    Total since(Total earlier) {
      return new Total(chunks - earlier.chunks, bytes - earlier.bytes);
    }
  }

  GhostList(Limits limits) {
    this.limits = limits;
  }

  /** Returns the number and the size of the chunks evicted so far. */
  Total total() {
    return total;
  }

  /**
   * Adds an evicted chunk.
   *
   * @param entry the chunk
   * @param bytes size of the chunk in bytes
   */
  void add(Entry entry, long bytes) {
    Name name = Name.of(entry);
    // Moves the chunk to the end if it is present.
    Long unused = departed.remove(name);
    departed.put(name, limits.quiescent() - total.bytes());
    numbers.computeIfAbsent(name.dataset(), _ -> new HashSet<>()).add(name.number());
    total = new Total(total.chunks() + 1, total.bytes() + bytes);
    long reach = limits.options().most();
    long most = Math.min(MOST, reach / BYTES_FOR_EACH);
    while (!departed.isEmpty() && (departed.size() > most || oldest() > reach)) {
      unlist(departed.pollFirstEntry().getKey());
    }
  }

  private void unlist(Name name) {
    Set<Long> listed = numbers.get(name.dataset());
    if (listed != null && listed.remove(name.number()) && listed.isEmpty()) {
      numbers.remove(name.dataset());
    }
  }

  /**
   * Removes the chunks of a dataset that leaves the cache, because another dataset may later be
   * allocated at the same address.
   */
  void forget(DatasetChunks dataset) {
    Set<Long> listed = numbers.remove(dataset.id());
    if (listed != null) {
      listed.forEach(number -> departed.remove(new Name(dataset.id(), number)));
    }
  }

  private long oldest() {
    return departed.firstEntry().getValue() + total.bytes();
  }

  /**
   * Removes a chunk that is loaded again.
   *
   * @return the limit in bytes at which the chunk would have stayed in the cache; empty if the
   *     chunk is not in the list
   */
  OptionalLong back(Entry entry) {
    Name name = Name.of(entry);
    Long then = departed.remove(name);
    if (then == null) {
      return OptionalLong.empty();
    }
    unlist(name);
    return OptionalLong.of(then + total.bytes());
  }
}
