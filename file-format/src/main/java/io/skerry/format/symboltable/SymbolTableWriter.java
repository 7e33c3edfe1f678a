package io.skerry.format.symboltable;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.StoredText;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.superblock.TreeOrders;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the table of an old-style group from all its links: local heap, symbol table nodes and
 * B-tree. A change to a group replaces its table except for two blocks, called heads: the root node
 * of the tree and the header of the heap. The heads keep their addresses because entries of other
 * tables and the superblock may contain these addresses. {@link SymbolTable#body} returns the
 * blocks to free. The result is deterministic: the same links, with allocators in the same state,
 * produce the same bytes on every rank.
 *
 * <p>Links are distributed evenly among the nodes. If there are several nodes, each is therefore at
 * least half full, as nodes are after a split in HDF5.
 */
public final class SymbolTableWriter {
  private final TreeOrders orders;
  private final Widths widths;
  private final SpaceAllocator allocator;
  private final List<BlockImage> images = new ArrayList<>();
  private final ByteWriter heap = ByteWriter.create();

  /**
   * Creates a writer for one table.
   *
   * @param orders the node sizes of the file
   * @param widths the sizes of offsets and lengths in the file
   * @param allocator the allocator of the file space
   */
  public SymbolTableWriter(TreeOrders orders, Widths widths, SpaceAllocator allocator) {
    this.orders = orders;
    this.widths = widths;
    this.allocator = allocator;
  }

  /**
   * A table to be written.
   *
   * @param message the symbol table message for the object header of the group
   * @param images the blocks of the table
   */
  public record Table(SymbolTableMessage message, List<BlockImage> images) {
    public Table {
      images = List.copyOf(images);
    }

    /**
     * Returns the file space of all blocks except the heads: the root node of the tree and the
     * header of the heap. Later tables of the group do not reuse the returned blocks.
     */
    public List<Block> body() {
      return images.stream()
          .filter(image ->
              image.address() != message.treeAddress() && image.address() != message.heapAddress())
          .map(BlockImage::block)
          .toList();
    }
  }

  /** A node at its address, with the heap offset of the greatest name in or below it. */
  private record Placed(long address, long greatest) {}

  /** A link and the bytes of its name. */
  private record Named(MemorySegment name, LinkMessage link) {}

  /**
   * Returns the file space of the heads of a table: the root node of the tree and the header of the
   * heap.
   */
  public static List<Block> heads(SymbolTableMessage message, Widths widths, TreeOrders orders) {
    return List.of(
        new Block(message.treeAddress(), GroupTreeNode.size(widths, orders.groupNodes())),
        new Block(message.heapAddress(), LocalHeap.headerSize(widths)));
  }

  /** Allocates the heads of a new table: the root node of its tree and the header of its heap. */
  public SymbolTableMessage reserve() {
    return new SymbolTableMessage(take(), allocator.allocate(LocalHeap.headerSize(widths)));
  }

  /**
   * Builds the table of a new group.
   *
   * @param links all its links, in any order; hard and soft links only
   * @throws UnsupportedFeatureException if a symbol table cannot represent a link
   * @throws IllegalArgumentException if a name or path contains a NUL
   * @throws IllegalStateException if this writer has already written a table
   */
  public Table write(List<LinkMessage> links) {
    return write(links, reserve());
  }

  /**
   * Builds the table of a group whose header already has its symbol table message.
   *
   * @param links all links of the group, in any order; hard and soft links only
   * @param heads the symbol table message of the group, which contains the addresses of the root
   *     node of the B-tree and of the header of the local heap
   * @throws UnsupportedFeatureException if a symbol table cannot represent a link
   * @throws IllegalArgumentException if a name or path contains a NUL
   * @throws IllegalStateException if this writer has already written a table
   */
  public Table write(List<LinkMessage> links, SymbolTableMessage heads) {
    if (!images.isEmpty()) {
      throw new IllegalStateException("a writer writes one symbol table only");
    }
    // Offset 0 is that of the empty name, the first key of every tree.
    heapText("");
    List<Placed> level = new ArrayList<>();
    for (List<SymbolEntry> part : evenly(entries(links), SymbolNode.capacity(orders.leafLinks()))) {
      level.add(leaf(part));
    }
    tree(level, heads.treeAddress());
    Block data = allocator.allocateBlock(heap.position());
    images.add(LocalHeap.image(heads.heapAddress(), data, widths));
    images.add(new BlockImage(data.address(), BlockKind.LOCAL_HEAP, heap.written()));
    return new Table(heads, images);
  }

  private List<SymbolEntry> entries(List<LinkMessage> links) {
    List<Named> sorted = new ArrayList<>();
    for (LinkMessage link : links) {
      sorted.add(new Named(MemorySegment.ofArray(StoredText.encode(link.name())), link));
    }
    sorted.sort((one, two) -> SymbolTable.compare(one.name(), two.name()));
    List<SymbolEntry> entries = new ArrayList<>();
    for (Named named : sorted) {
      entries.add(entry(named.link()));
    }
    return entries;
  }

  private SymbolEntry entry(LinkMessage link) {
    long name = heapText(link.name());
    return switch (link.target()) {
      case LinkTarget.Hard(long address) -> SymbolEntry.hard(name, address);
      case LinkTarget.Soft(String path) -> SymbolEntry.soft(name, heapText(path));
      case LinkTarget.External _, LinkTarget.UserDefined _ ->
          throw new UnsupportedFeatureException(
              "external or user-defined link in a symbol table", "link " + link.name());
    };
  }

  /**
   * Appends a NUL-terminated string, padded to a multiple of 8 bytes as in HDF5. Returns its offset
   * in the heap.
   */
  private long heapText(String text) {
    if (text.indexOf('\0') >= 0) {
      throw new IllegalArgumentException("NUL in a link: " + text);
    }
    int offset = heap.position();
    heap.text(text).u8(0);
    heap.zeros(Math.floorMod(-heap.position(), 8));
    return offset;
  }

  private Placed leaf(List<SymbolEntry> entries) {
    long address = allocator.allocate(SymbolNode.size(widths, orders.leafLinks()));
    ByteWriter out = ByteWriter.create();
    new SymbolNode(entries).encode(out, widths, orders.leafLinks());
    images.add(new BlockImage(address, BlockKind.SYMBOL_TABLE_NODE, out.written()));
    return new Placed(address, entries.getLast().nameOffset());
  }

  /** Builds levels above the leaves until a level has only one node, the root. */
  private void tree(List<Placed> leaves, long root) {
    if (leaves.isEmpty()) {
      long none = FileAddress.UNDEFINED;
      node(new GroupTreeNode(0, none, none, List.of(), List.of()), root);
      return;
    }
    List<Placed> below = leaves;
    for (int level = 0; level == 0 || below.size() > 1; level++) {
      below = level(below, level, root);
    }
  }

  private long take() {
    return allocator.allocate(GroupTreeNode.size(widths, orders.groupNodes()));
  }

  private List<Placed> level(List<Placed> below, int level, long root) {
    List<List<Placed>> parts = evenly(below, GroupTreeNode.capacity(orders.groupNodes()));
    List<Long> addresses = new ArrayList<>();
    for (int i = 0; i < parts.size(); i++) {
      addresses.add(parts.size() == 1 ? root : take());
    }
    List<Placed> placed = new ArrayList<>();
    long greatestBefore = 0;
    for (int i = 0; i < parts.size(); i++) {
      List<Long> keys = new ArrayList<>(List.of(greatestBefore));
      List<Long> children = new ArrayList<>();
      for (Placed child : parts.get(i)) {
        children.add(child.address());
        keys.add(child.greatest());
      }
      long left = i == 0 ? FileAddress.UNDEFINED : addresses.get(i - 1);
      long right = i == parts.size() - 1 ? FileAddress.UNDEFINED : addresses.get(i + 1);
      node(new GroupTreeNode(level, left, right, keys, children), addresses.get(i));
      greatestBefore = keys.getLast();
      placed.add(new Placed(addresses.get(i), greatestBefore));
    }
    return placed;
  }

  private void node(GroupTreeNode node, long address) {
    ByteWriter out = ByteWriter.create();
    node.encode(out, widths, orders.groupNodes());
    images.add(new BlockImage(address, BlockKind.GROUP_TREE_NODE, out.written()));
  }

  /**
   * Divides a list into as few parts as the limit permits. The sizes of the parts differ by at most
   * one.
   */
  private static <T> List<List<T>> evenly(List<T> all, int limit) {
    int parts = (all.size() + limit - 1) / limit;
    List<List<T>> cut = new ArrayList<>(parts);
    for (int i = 0; i < parts; i++) {
      int from = (int) ((long) all.size() * i / parts);
      int to = (int) ((long) all.size() * (i + 1) / parts);
      cut.add(all.subList(from, to));
    }
    return cut;
  }
}
