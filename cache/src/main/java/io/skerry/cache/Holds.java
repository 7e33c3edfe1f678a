package io.skerry.cache;

import io.skerry.chunk.MemoryChunk;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * The chunks of one dataset that a write keeps from being evicted, from before it makes new
 * versions until it has published them: so nothing has to be loaded in between, which could fail
 * when half of it is published. For one thread.
 */
final class Holds implements AutoCloseable {
  private final Map<Long, Entry> entries = new HashMap<>();

  /**
   * Holds a chunk if it is in memory.
   *
   * @return whether it is
   */
  boolean add(Entry entry) {
    boolean held = entry.tryHold();
    if (held) {
      entries.put(entry.number(), entry);
    }
    return held;
  }

  /** Holds a chunk that the same thread has claimed. */
  void addClaimed(Entry entry) {
    entry.claimHold();
    entries.put(entry.number(), entry);
  }

  /** The entry of a chunk, if it is held. */
  Optional<Entry> find(long number) {
    return Optional.ofNullable(entries.get(number));
  }

  /** The newest version of a chunk that is held. */
  MemoryChunk chunk(long number) {
    Entry entry = Objects.requireNonNull(entries.get(number));
    return entry
        .chunk()
        .orElseThrow(() ->
            new IllegalStateException(
                "forgotten while it is written: chunk="
                    + entry.dataset().key(number)
                    + " dataset="
                    + entry.dataset()));
  }

  @Override
  public void close() {
    entries.values().forEach(Entry::release);
  }
}
