package io.skerry.cache.request;

import io.skerry.cache.table.ChunkState;
import io.skerry.cache.table.ChunkState.Held;
import io.skerry.cache.table.Entry;
import io.skerry.cache.table.Ledger;
import io.skerry.chunk.format.MemoryChunk;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The chunks of one dataset that a write protects from eviction until it has published its new
 * versions. Otherwise, a chunk might have to be loaded again before its new version is published,
 * and the load could fail after other versions have already been published. For use by one thread.
 */
public final class Pins implements AutoCloseable {
  private final Map<Long, Entry> entries = new HashMap<>();
  private final Ledger ledger;

  Pins(Ledger ledger) {
    this.ledger = ledger;
  }

  /**
   * Pins a chunk if it is in memory. If the chunk was encoded in advance, its encoded image is
   * discarded, since the chunk is about to be written.
   *
   * @return true if the chunk is in memory
   */
  boolean add(Entry entry) {
    entry.hold();
    ChunkState seen = entry.state();
    while (seen instanceof Held held) {
      if (ledger.change(entry, held, held.renewed())) {
        entries.put(entry.number(), entry);
        return true;
      }
      seen = entry.state();
    }
    entry.release();
    return false;
  }

  /** Pins a chunk that the calling thread has claimed. */
  void addClaimed(Entry entry) {
    entry.hold();
    entries.put(entry.number(), entry);
  }

  /** Returns the entry of a chunk, if it is pinned. */
  Optional<Entry> find(long number) {
    return Optional.ofNullable(entries.get(number));
  }

  /** Returns the newest version of a pinned chunk. */
  MemoryChunk chunk(long number) {
    Entry entry = Objects.requireNonNull(entries.get(number));
    return entry
        .chunk()
        .orElseThrow(() ->
            new IllegalStateException(
                "the chunk was dropped while it is written: chunk="
                    + entry.dataset().key(number)
                    + " dataset="
                    + entry.dataset()));
  }

  @Override
  public void close() {
    entries.values().forEach(Entry::release);
  }
}
