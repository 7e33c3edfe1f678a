package io.skerry.format.dense;

import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2;
import io.skerry.format.heap.FractalHeap;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The common part of dense links and dense attributes: messages in a fractal heap, indexed by name
 * and, if requested, by creation order.
 *
 * @param source the file
 * @param heap the heap of the messages
 * @param names the index by name
 * @param orders the index by creation order
 */
record DenseStorage(ByteSource source, FractalHeap heap, BTree2 names, Optional<BTree2> orders) {

  /**
   * The addresses of the parts of dense storage, from an info message.
   *
   * @param what the name of the storage for error messages
   * @param heap the address of the heap, possibly undefined
   * @param names the address of the index by name, possibly undefined
   * @param orders the address of the index by creation order, possibly undefined; empty if there is
   *     no such index
   */
  record Places(String what, long heap, long names, OptionalLong orders) {}

  /** Opens the heap and the indexes; reads only their headers. */
  static DenseStorage open(
      ByteSource source,
      Widths widths,
      Places at,
      DenseIndexes.Kind byName,
      DenseIndexes.Kind byOrder) {
    if (!FileAddress.isDefined(at.heap) || !FileAddress.isDefined(at.names)) {
      throw new FormatException(at.what, "a fractal heap and a name index", at)
          .inFile(source.name());
    }
    Optional<BTree2> orders =
        at.orders.isPresent() && FileAddress.isDefined(at.orders.getAsLong())
            ? Optional.of(
                BTree2.open(source, widths, at.orders.getAsLong())
                    .require(byOrder.type(), byOrder.recordSize()))
            : Optional.empty();
    return new DenseStorage(
        source,
        FractalHeap.open(source, widths, at.heap),
        BTree2.open(source, widths, at.names).require(byName.type(), byName.recordSize()),
        orders);
  }

  /**
   * Returns a limit on the total size of the messages that a listing may read. The messages of an
   * undamaged object do not exceed it, unless the filters of the heap expand data more than deflate
   * can.
   */
  ReadBudget budget(String what) {
    return new ReadBudget(heap.mostBytes(), what, source.name());
  }

  /**
   * Checks the hash in an index record.
   *
   * @throws FormatException if it differs from the hash of the name
   */
  void checkHash(String what, String name, int stored) {
    int hash = NameHash.of(name).hash();
    if (hash != stored) {
      throw new FormatException(
              "hash of " + what + " " + name,
              String.format("0x%08x", hash),
              String.format("0x%08x", stored))
          .inFile(source.name());
    }
  }

  /** Returns all file space that the heap and the indexes occupy. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(heap.blocks());
    blocks.addAll(names.blocks());
    orders.ifPresent(index -> blocks.addAll(index.blocks()));
    return blocks;
  }
}
