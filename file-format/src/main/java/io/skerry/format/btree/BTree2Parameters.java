package io.skerry.format.btree;

import io.skerry.format.block.Widths;

/**
 * Parameters of a version 2 B-tree that are set when it is created.
 *
 * @param type the type of its records
 * @param nodeSize the size of each node in bytes
 * @param recordSize the size of each record in bytes
 * @param splitPercent the percentage of its capacity above which a node is split
 * @param mergePercent the percentage of its capacity below which a node other than the root is
 *     merged; a tree can be changed only if this is less than half of {@code splitPercent} (rounded
 *     down)
 */
public record BTree2Parameters(
    RecordType type, long nodeSize, int recordSize, int splitPercent, int mergePercent) {
  BTree2Shape shape(Widths widths) {
    return BTree2Shape.of(nodeSize, recordSize, widths);
  }
}
