package io.skerry.format.superblock;

/**
 * How large the nodes of version 1 B-trees are: a node has at most twice so many entries. Stored in
 * superblocks 0 and 1, else in the superblock extension if not the default.
 *
 * @param leafLinks half the links of a symbol table node, 1 to 65535
 * @param groupNodes half the children of a B-tree node of a group, 1 to 65535
 * @param chunkNodes half the children of a B-tree node of chunks, 1 to 65535
 */
public record TreeOrders(int leafLinks, int groupNodes, int chunkNodes) {
  /** Those of a file that says nothing else. */
  public static final TreeOrders DEFAULT = new TreeOrders(4, 16, 32);
}
