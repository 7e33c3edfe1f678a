package io.skerry.format.btree;

import io.skerry.format.block.FileAddress;

/**
 * A pointer to a node.
 *
 * @param address the address of the node; undefined if the tree is empty, or if no space has been
 *     allocated for the node yet
 * @param records the number of records in the node
 * @param total the number of records in the node and its descendants
 */
record NodePointer(long address, int records, long total) {
  static final NodePointer NONE = new NodePointer(FileAddress.UNDEFINED, 0, 0);

  boolean isDefined() {
    return FileAddress.isDefined(address);
  }
}
