package io.skerry.internal.dataset.through;

import java.util.Map;
import java.util.TreeMap;

/** A set of numbers, kept as ranges. Not thread-safe. */
public final class Coverage {
  /** The ends of the ranges, exclusive, by their starts. */
  private final TreeMap<Long, Long> ranges = new TreeMap<>();

  /** Processes a range of numbers. */
  @FunctionalInterface
  public interface RangeAction {
    void apply(long first, long length);
  }

  /** Visits the numbers of a range that are not in the set, in ascending order. */
  public void forEachGap(long first, long end, RangeAction action) {
    long at = first;
    Map.Entry<Long, Long> range = ranges.floorEntry(first);
    if (range == null) {
      range = ranges.higherEntry(first);
    }
    while (range != null && range.getKey() < end) {
      if (at < range.getKey()) {
        action.apply(at, range.getKey() - at);
      }
      at = Math.max(at, range.getValue());
      range = ranges.higherEntry(range.getKey());
    }
    if (at < end) {
      action.apply(at, end - at);
    }
  }

  /** Adds a range, and joins it with the ranges that overlap it or are adjacent to it. */
  public void add(long first, long end) {
    long start = first;
    long stop = end;
    Map.Entry<Long, Long> range = ranges.floorEntry(end);
    while (range != null && range.getValue() >= first) {
      start = Math.min(start, range.getKey());
      stop = Math.max(stop, range.getValue());
      ranges.remove(range.getKey());
      range = ranges.floorEntry(end);
    }
    ranges.put(start, stop);
  }
}
