package io.skerry.format.heap;

import java.util.Comparator;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.TreeSet;

/** The free bytes in the direct blocks of a heap, by heap offset. */
final class HeapGaps {
  private final TreeMap<Long, Long> byOffset = new TreeMap<>();
  private final TreeSet<Gap> bySize =
      new TreeSet<>(Comparator.comparingLong(Gap::length).thenComparingLong(Gap::offset));

  private record Gap(long offset, long length) {}

  /**
   * Allocates space at the start of the smallest gap that is at least as long as requested; of
   * several equally long gaps, the one at the lowest offset. Returns the heap offset; empty if no
   * gap is long enough.
   */
  OptionalLong take(long length) {
    Gap gap = bySize.ceiling(new Gap(0, length));
    if (gap == null) {
      return OptionalLong.empty();
    }
    remove(gap);
    if (gap.length() > length) {
      insert(new Gap(gap.offset() + length, gap.length() - length));
    }
    return OptionalLong.of(gap.offset());
  }

  /**
   * Allocates a given range if a gap contains it.
   *
   * @return false if no gap contains the range, in which case nothing is allocated
   */
  boolean takeAt(long offset, long length) {
    Map.Entry<Long, Long> found = byOffset.floorEntry(offset);
    if (found == null || found.getKey() + found.getValue() - offset < length) {
      return false;
    }
    Gap gap = new Gap(found.getKey(), found.getValue());
    remove(gap);
    if (gap.offset() < offset) {
      insert(new Gap(gap.offset(), offset - gap.offset()));
    }
    long end = gap.offset() + gap.length();
    if (offset + length < end) {
      insert(new Gap(offset + length, end - offset - length));
    }
    return true;
  }

  /**
   * Adds a gap and merges it with adjacent ones. Gaps in different blocks are never adjacent, since
   * block prefixes separate them.
   */
  void add(long offset, long length) {
    long start = offset;
    long end = offset + length;
    Map.Entry<Long, Long> before = byOffset.lowerEntry(offset);
    if (before != null && before.getKey() + before.getValue() == offset) {
      start = before.getKey();
      remove(new Gap(before.getKey(), before.getValue()));
    }
    Long after = byOffset.get(end);
    if (after != null) {
      remove(new Gap(end, after));
      end += after;
    }
    insert(new Gap(start, end - start));
  }

  private void insert(Gap gap) {
    byOffset.put(gap.offset(), gap.length());
    bySize.add(gap);
  }

  private void remove(Gap gap) {
    byOffset.remove(gap.offset());
    bySize.remove(gap);
  }
}
