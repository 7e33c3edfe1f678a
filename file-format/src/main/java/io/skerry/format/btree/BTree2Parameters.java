package io.skerry.format.btree;

import io.skerry.format.block.Widths;

/**
 * What is laid down when a version 2 B-tree is made.
 *
 * @param type what its records are
 * @param nodeSize bytes of each node
 * @param recordSize bytes of each record
 * @param splitPercent a node with more than this share of what fits is split
 * @param mergePercent a node, but for the root, with less than this share is merged; below half of
 *     {@code splitPercent}
 */
public record BTree2Parameters(
    RecordType type, long nodeSize, int recordSize, int splitPercent, int mergePercent) {
  BTree2Shape shape(Widths widths) {
    return BTree2Shape.of(nodeSize, recordSize, widths);
  }
}
