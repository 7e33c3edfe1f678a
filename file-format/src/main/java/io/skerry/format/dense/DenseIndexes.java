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
 * The indexes of dense storage that is being changed: by name and, if requested, by creation order.
 *
 * @param names the index by name
 * @param orders the index by creation order
 */
record DenseIndexes(BTree2Editor names, Optional<BTree2Editor> orders) {
  private static final int NODE_SIZE = 512;
  private static final int SPLIT_PERCENT = 100;
  private static final int MERGE_PERCENT = 40;

  /**
   * A kind of index.
   *
   * @param type the type of its records
   * @param recordSize the size of a record in bytes
   */
  record Kind(RecordType type, int recordSize) {
    BTree2Parameters parameters() {
      return new BTree2Parameters(type, NODE_SIZE, recordSize, SPLIT_PERCENT, MERGE_PERCENT);
    }
  }

  /** Creates an index from sorted records. */
  static BTree2Editor build(Kind kind, Widths widths, List<MemorySegment> sorted) {
    return BTree2Editor.build(kind.parameters(), widths, sorted);
  }

  /**
   * Adds a link or an attribute to the name index and, if there is one, to the creation order
   * index.
   */
  void insert(
      MemorySegment nameRecord,
      RecordOrder byName,
      MemorySegment orderRecord,
      RecordOrder byOrder) {
    names.insert(nameRecord, byName);
    orders.ifPresent(index -> index.insert(orderRecord, byOrder));
  }

  /**
   * Returns the heap IDs in the records of a name index, as decoded by {@code id}. Skips records
   * for which {@code id} returns empty.
   */
  static List<Bytes> ids(BTree2 names, Function<MemorySegment, Optional<Bytes>> id) {
    List<Bytes> ids = new ArrayList<>();
    names.forEach(record -> id.apply(record).ifPresent(ids::add));
    return ids;
  }

  /**
   * Checks that an index by creation order has no record at or after the next creation order.
   *
   * @param orders the index by creation order
   * @param fromNext the search key of the next creation order
   * @param next the next creation order in the info message
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

  /**
   * Returns the address of the creation order index, for the info message; empty if there is no
   * such index.
   */
  OptionalLong orderAddress() {
    return orders.map(BTree2Editor::address).map(OptionalLong::of).orElse(OptionalLong.empty());
  }
}
