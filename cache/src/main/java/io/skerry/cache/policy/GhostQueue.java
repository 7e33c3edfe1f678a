package io.skerry.cache.policy;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The records of recently evicted chunks, oldest first. */
final class GhostQueue {
  /**
   * The record of an evicted chunk.
   *
   * @param bytes size of the chunk in bytes
   * @param lastUse logical time of its last use
   */
  record Ghost(long bytes, long lastUse) {}

  private final LinkedHashMap<Long, Ghost> byNumber = new LinkedHashMap<>();
  private long bytes;

  boolean contains(long number) {
    return byNumber.containsKey(number);
  }

  /**
   * Adds a chunk and removes the oldest chunks beyond the limits, but never the chunk just added.
   *
   * @param number chunk number
   * @param ghost record of the chunk
   * @param mostBytes maximum total size of the recorded chunks, in bytes
   * @param most maximum number of recorded chunks
   */
  void remember(long number, Ghost ghost, long mostBytes, int most) {
    forget(number);
    byNumber.put(number, ghost);
    bytes += ghost.bytes();
    Iterator<Ghost> oldest = byNumber.values().iterator();
    while (byNumber.size() > 1 && (byNumber.size() > most || bytes > mostBytes)) {
      bytes -= oldest.next().bytes();
      oldest.remove();
    }
  }

  /** Removes a chunk and returns its record; empty if there is none. */
  Optional<Ghost> forget(long number) {
    Optional<Ghost> forgotten = Optional.ofNullable(byNumber.remove(number));
    bytes -= forgotten.map(Ghost::bytes).orElse(0L);
    return forgotten;
  }

  int size() {
    return byNumber.size();
  }

  long bytes() {
    return bytes;
  }
}
