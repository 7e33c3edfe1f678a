package io.skerry.internal.verify;

import io.skerry.SpaceReport;
import io.skerry.format.block.Block;
import io.skerry.format.header.ObjectHeader;
import io.skerry.spi.ObjectPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * Collects all blocks of a file with their use; each block occupies two longs and an int in memory.
 * Overlaps are found at the end, in address order.
 */
final class SpaceClaims {
  private final Findings findings;
  private final long endOfFile;
  private final List<Holder> holders = new ArrayList<>();
  private final Map<SpaceReport.Kind, Long> bytes = new EnumMap<>(SpaceReport.Kind.class);
  private long[] starts = new long[64];
  private long[] ends = new long[64];
  private int[] whose = new int[64];
  private int count;

  /** The use of a block. */
  private record Holder(SpaceReport.Kind kind, ObjectPath path) {
    Findings.Place at(long address) {
      return new Findings.Place(address, kind.text(), path);
    }
  }

  /**
   * Creates an empty collection.
   *
   * @param endOfFile the first address beyond all allocated space
   */
  SpaceClaims(Findings findings, long endOfFile) {
    this.findings = findings;
    this.endOfFile = endOfFile;
  }

  /** Claims blocks, which no other structure may overlap. */
  void add(SpaceReport.Kind kind, ObjectPath path, List<Block> blocks) {
    Holder holder = new Holder(kind, path);
    if (holders.isEmpty() || !holders.getLast().equals(holder)) {
      holders.add(holder);
    }
    for (Block block : blocks) {
      if (block.end() > endOfFile) {
        findings.add(
            holder.at(block.address()),
            "beyond the allocated end of the file",
            "an end of at most 0x" + Long.toHexString(endOfFile),
            "0x" + Long.toHexString(block.end()));
      }
      put(block);
      bytes.merge(kind, block.length(), SpaceClaims::sum);
      findings.checked(block.length());
    }
  }

  /** Claims the blocks of an object header. */
  void add(ObjectHeader header, ObjectPath path) {
    List<Block> blocks = new ArrayList<>(List.of(header.placement().first()));
    blocks.addAll(header.placement().continuations());
    add(SpaceReport.Kind.OBJECT_HEADER, path, blocks);
  }

  private static long sum(long a, long b) {
    return Math.min(a, Long.MAX_VALUE - b) + b;
  }

  private void put(Block block) {
    if (count == starts.length) {
      int more = count + (count >> 1);
      starts = Arrays.copyOf(starts, more);
      ends = Arrays.copyOf(ends, more);
      whose = Arrays.copyOf(whose, more);
    }
    starts[count] = block.address();
    ends[count] = block.end();
    whose[count++] = holders.size() - 1;
  }

  int count() {
    return count;
  }

  Map<SpaceReport.Kind, Long> bytes() {
    return bytes;
  }

  /**
   * Reports each block that begins before the end of a preceding block, in address order.
   *
   * @return the number of bytes before the end of the allocated space that belong to no block
   */
  long reportOverlaps() {
    sort();
    long free = 0;
    int last = -1;
    for (int i = 0; i < count; i++) {
      long reached = last < 0 ? 0 : ends[last];
      if (starts[i] < reached) {
        findings.add(
            holders.get(whose[i]).at(starts[i]),
            "overlap of allocated space",
            "space of its own for " + text(i),
            "shared with " + described(last));
      } else {
        free += Math.max(0, Math.min(starts[i], endOfFile) - reached);
      }
      last = ends[i] > reached || last < 0 ? i : last;
    }
    return free + Math.max(0, endOfFile - (last < 0 ? 0 : ends[last]));
  }

  private String described(int i) {
    Holder holder = holders.get(whose[i]);
    return holder.kind.text() + " of " + holder.path.shown() + " at " + text(i);
  }

  private String text(int i) {
    return new Block(starts[i], ends[i] - starts[i]).toString();
  }

  /**
   * Sorts by heapsort, which works in place and has no quadratic worst case that a malicious file
   * could exploit.
   */
  private void sort() {
    for (int i = count / 2 - 1; i >= 0; i--) {
      sink(i, count);
    }
    for (int end = count - 1; end > 0; end--) {
      swap(0, end);
      sink(0, end);
    }
  }

  private void sink(int from, int end) {
    int at = from;
    while (2L * at + 1 < end) {
      int child = 2 * at + 1;
      if (child + 1 < end && isBefore(child, child + 1)) {
        child++;
      }
      if (!isBefore(at, child)) {
        return;
      }
      swap(at, child);
      at = child;
    }
  }

  private boolean isBefore(int a, int b) {
    return starts[a] != starts[b] ? starts[a] < starts[b] : ends[a] < ends[b];
  }

  private void swap(int a, int b) {
    long start = starts[a];
    starts[a] = starts[b];
    starts[b] = start;
    long end = ends[a];
    ends[a] = ends[b];
    ends[b] = end;
    int holder = whose[a];
    whose[a] = whose[b];
    whose[b] = holder;
  }
}
