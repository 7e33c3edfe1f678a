package io.skerry.format.btree;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Builds a tree from sorted records, with as few levels as possible. Distributes the records
 * approximately evenly among the nodes of a level, so that no node except the root has fewer
 * records than {@link BTree2Limits#fewest} requires.
 */
final class BTree2Builder {
  private final BTree2Limits limits;
  private final List<MemorySegment> records;
  private int next;

  private BTree2Builder(BTree2Limits limits, List<MemorySegment> records) {
    this.limits = limits;
    this.records = records;
  }

  /** Builds a tree and returns its root; empty if there are no records. */
  static Optional<EditedNode> build(BTree2Limits limits, List<MemorySegment> sorted) {
    if (sorted.isEmpty()) {
      return Optional.empty();
    }
    int level = 0;
    while (limits.mostBelow(level) < sorted.size()) {
      level++;
    }
    return Optional.of(new BTree2Builder(limits, sorted).node(level, sorted.size()));
  }

  private EditedNode node(int level, int count) {
    if (level == 0) {
      List<MemorySegment> taken = records.subList(next, next + count);
      next += count;
      return EditedNode.fresh(0, taken, List.of());
    }
    long below = limits.mostBelow(level - 1);
    int nodes = (int) Math.max(2, (count + 1 + below) / (below + 1));
    int shared = count - (nodes - 1);
    List<MemorySegment> own = new ArrayList<>();
    List<EditedNode.Slot> children = new ArrayList<>();
    for (int i = 0; i < nodes; i++) {
      int share = (int) (shared * (i + 1L) / nodes - shared * (long) i / nodes);
      children.add(EditedNode.Slot.of(node(level - 1, share)));
      if (i + 1 < nodes) {
        own.add(records.get(next++));
      }
    }
    return EditedNode.fresh(level, own, children);
  }
}
