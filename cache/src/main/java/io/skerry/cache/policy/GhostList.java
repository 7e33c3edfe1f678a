package io.skerry.cache.policy;

import java.util.Iterator;
import java.util.LinkedHashMap;

/** The numbers of chunks that were evicted lately, oldest first. */
final class GhostList {
  private final LinkedHashMap<Long, Long> bytesByNumber = new LinkedHashMap<>();
  private long bytes;

  boolean contains(long number) {
    return bytesByNumber.containsKey(number);
  }

  /**
   * Remembers a chunk and forgets the oldest beyond the limits.
   *
   * @param size its bytes while it was resident
   * @param mostBytes that all remembered ones may have had together
   * @param most that are remembered
   */
  void remember(long number, long size, long mostBytes, int most) {
    forget(number);
    bytesByNumber.put(number, size);
    bytes += size;
    Iterator<Long> oldest = bytesByNumber.values().iterator();
    while (bytesByNumber.size() > most || bytes > mostBytes && bytesByNumber.size() > 1) {
      bytes -= oldest.next();
      oldest.remove();
    }
  }

  /** Whether it was remembered until now. */
  boolean forget(long number) {
    Long size = bytesByNumber.remove(number);
    bytes -= size == null ? 0 : size;
    return size != null;
  }

  int size() {
    return bytesByNumber.size();
  }

  long bytes() {
    return bytes;
  }
}
