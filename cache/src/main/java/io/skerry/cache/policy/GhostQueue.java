package io.skerry.cache.policy;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Optional;

/** The chunks that were evicted lately, oldest first. */
final class GhostQueue {
  /**
   * What is remembered of a chunk.
   *
   * @param bytes that it had
   * @param lastUse when it was used last, as its order counts time
   */
  record Ghost(long bytes, long lastUse) {}

  private final LinkedHashMap<Long, Ghost> byNumber = new LinkedHashMap<>();
  private long bytes;

  boolean contains(long number) {
    return byNumber.containsKey(number);
  }

  /**
   * Remembers a chunk and forgets the oldest beyond the limits, but never the one that has just
   * come.
   *
   * @param mostBytes that all remembered ones may have had together
   * @param most that are remembered
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

  /** Forgets a chunk; what was remembered of it. */
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
