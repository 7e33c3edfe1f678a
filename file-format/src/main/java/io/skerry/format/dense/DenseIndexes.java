package io.skerry.format.dense;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2;
import io.skerry.format.btree.BTree2Editor;
import io.skerry.format.btree.BTree2Parameters;
import io.skerry.format.btree.RecordOrder;
import io.skerry.format.btree.RecordType;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;

/**
 * The indexes of a dense storage that changes: by name, and by creation order if wanted.
 *
 * @param names by name
 * @param orders by creation order
 */
record DenseIndexes(BTree2Editor names, Optional<BTree2Editor> orders) {
  private static final int NODE_SIZE = 512;
  private static final int SPLIT_PERCENT = 100;
  private static final int MERGE_PERCENT = 40;

  /**
   * A kind of index.
   *
   * @param type of its records
   * @param recordSize their bytes
   */
  record Kind(RecordType type, int recordSize) {
    BTree2Parameters parameters() {
      return new BTree2Parameters(type, NODE_SIZE, recordSize, SPLIT_PERCENT, MERGE_PERCENT);
    }
  }

  /** Indexes laid out from sorted records. */
  static BTree2Editor build(Kind kind, Widths widths, List<MemorySegment> sorted) {
    return BTree2Editor.build(kind.parameters(), widths, sorted);
  }

  /** Adds a record to both. */
  void insert(
      MemorySegment nameRecord,
      RecordOrder byName,
      MemorySegment orderRecord,
      RecordOrder byOrder) {
    names.insert(nameRecord, byName);
    orders.ifPresent(index -> index.insert(orderRecord, byOrder));
  }

  /** The ids of the heap that a name index refers to. */
  static List<Bytes> ids(BTree2 names, Function<MemorySegment, Optional<Bytes>> id) {
    List<Bytes> ids = new ArrayList<>();
    names.forEach(record -> id.apply(record).ifPresent(ids::add));
    return ids;
  }

  /**
   * Refuses an index by creation order that has already what would be given out next.
   *
   * @param next as the info message has it
   */
  static void checkOrders(BTree2 orders, RecordOrder fromNext, Object next) {
    if (orders.from(fromNext).hasNext()) {
      throw new FormatException("creation order index", "all before the next " + next, "one after");
    }
  }

  void commit(SpaceAllocator allocator, List<BlockImage> images) {
    images.addAll(names.commit(allocator));
    orders.ifPresent(index -> images.addAll(index.commit(allocator)));
  }

  /** What an info message says of the index by creation order. */
  OptionalLong orderAddress() {
    return orders.map(BTree2Editor::address).map(OptionalLong::of).orElse(OptionalLong.empty());
  }
}
