package io.skerry.format.superblock;

/**
 * Node sizes of version 1 B-trees and of symbol tables; a node has at most twice the stored number
 * of entries. Superblock 1 stores all three sizes, superblock 0 all except that of chunk nodes.
 * Files with a later superblock store the sizes in the superblock extension if they differ from the
 * default.
 *
 * @param leafLinks half the maximum number of links in a symbol table node, 1 to 65535
 * @param groupNodes half the maximum number of children of a group B-tree node, 1 to 65535
 * @param chunkNodes half the maximum number of children of a chunk B-tree node, 1 to 65535
 */
public record TreeOrders(int leafLinks, int groupNodes, int chunkNodes) {
  /** Default node sizes, for files that do not store them. */
  public static final TreeOrders DEFAULT = new TreeOrders(4, 16, 32);
}
