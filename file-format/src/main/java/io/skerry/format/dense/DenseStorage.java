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
 * What dense links and dense attributes have in common: messages in a heap, indexed by name and, if
 * wanted, by creation order.
 *
 * @param source of the file
 * @param heap of the messages
 * @param names index by name
 * @param orders index by creation order
 */
record DenseStorage(ByteSource source, FractalHeap heap, BTree2 names, Optional<BTree2> orders) {

  /**
   * Where the parts are, as an info message has it.
   *
   * @param what for messages
   * @param heap address, may be undefined
   * @param names address, may be undefined
   * @param orders address, may be undefined; empty if there is no such index
   */
  record Places(String what, long heap, long names, OptionalLong orders) {}

  /** Opens heap and indexes; reads their headers only. */
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

  /** Watches that what is listed is not longer than it can be in this file. */
  ReadBudget budget(String what) {
    return new ReadBudget(heap.mostBytes(), what, source.name());
  }

  /**
   * @throws FormatException if an index has another hash for a name
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

  /** All the space of heap and indexes. */
  List<Block> blocks() {
    List<Block> blocks = new ArrayList<>(heap.blocks());
    blocks.addAll(names.blocks());
    orders.ifPresent(index -> blocks.addAll(index.blocks()));
    return blocks;
  }
}
