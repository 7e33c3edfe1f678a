package io.skerry.format.symboltable;

import io.skerry.chunk.bytes.StoredText;
import io.skerry.exception.FormatException;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.group.LinkMessage;
import io.skerry.format.message.group.LinkTarget;
import io.skerry.format.message.group.SymbolTableMessage;
import io.skerry.format.superblock.SymbolEntry;
import io.skerry.format.superblock.TreeOrders;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Reads the links of an old-style group. The local heap is read on opening; everything else is read
 * on each call. Local, thread-safe.
 *
 * <p>A full traversal rejects a node that it reaches twice, and requires the level of each node to
 * be one below that of its parent, so damaged child pointers cannot cause an endless traversal.
 */
public final class SymbolTable {
  private final ByteSource source;
  private final Widths widths;
  private final long root;
  private final LocalHeap heap;

  private SymbolTable(ByteSource source, Widths widths, long root, LocalHeap heap) {
    this.source = source;
    this.widths = widths;
    this.root = root;
    this.heap = heap;
  }

  /**
   * Opens the table to which a symbol table message refers.
   *
   * @throws FormatException if its local heap is damaged
   */
  public static SymbolTable open(ByteSource source, Widths widths, SymbolTableMessage message) {
    LocalHeap heap = LocalHeap.open(source, widths, message.heapAddress());
    return new SymbolTable(source, widths, message.treeAddress(), heap);
  }

  /**
   * Returns all links, ordered by the bytes of their names.
   *
   * @throws FormatException if the table is damaged, or if the texts of its links have more bytes
   *     than the file
   */
  public List<LinkMessage> links() {
    List<LinkMessage> links = new ArrayList<>();
    List<SymbolEntry> entries = entries();
    long texts = 0;
    for (int i = 0; i < entries.size(); i++) {
      texts += textBytes(entries.get(i));
      if (texts > source.size()) {
        // The texts of damaged entries may overlap in the heap.
        throw new FormatException("bytes of all links", "at most " + source.size(), "more")
            .atAddress(root)
            .inFile(source.name());
      }
      if (i > 0) {
        checkOrder(entries.get(i - 1), entries.get(i));
      }
      links.add(link(entries.get(i)));
    }
    return links;
  }

  private long textBytes(SymbolEntry entry) {
    long name = heap.bytes(entry.nameOffset()).byteSize();
    return entry.cached() instanceof SymbolEntry.OfSoftLink(long path)
        ? name + heap.bytes(path).byteSize()
        : name;
  }

  private List<SymbolEntry> entries() {
    List<SymbolEntry> entries = new ArrayList<>();
    new Walk(_ -> {}, node -> entries.addAll(node.entries())).start();
    return entries;
  }

  /**
   * Returns the link with the given name; empty if there is none. Reads at most one tree node per
   * level and one symbol table node.
   *
   * @throws FormatException if a node on the path, or a name in it, is damaged, or if the keys of a
   *     node are not in the order of their names
   */
  public Optional<LinkMessage> link(String name) {
    MemorySegment wanted = MemorySegment.ofArray(StoredText.encode(name));
    GroupTreeNode node = GroupTreeNode.read(source, widths, root);
    long address = root;
    while (true) {
      checkOrder(node, address);
      Optional<Long> child = childFor(node, wanted);
      if (child.isEmpty()) {
        return Optional.empty();
      }
      if (node.level() == 0) {
        return SymbolNode.read(source, widths, child.get()).entries().stream()
            .filter(entry -> compare(heap.bytes(entry.nameOffset()), wanted) == 0)
            .findFirst()
            .map(this::link);
      }
      GroupTreeNode below = GroupTreeNode.read(source, widths, child.get());
      below.checkLevel(node.level() - 1, child.get());
      node = below;
      address = child.get();
    }
  }

  private void checkOrder(GroupTreeNode node, long address) {
    List<Long> keys = node.keys();
    for (int i = 1; i < keys.size(); i++) {
      if (compare(heap.bytes(keys.get(i - 1)), heap.bytes(keys.get(i))) > 0) {
        throw new FormatException(
                "order of keys in a B-tree node of a group",
                "a name not before " + heap.text(keys.get(i - 1)),
                heap.text(keys.get(i)))
            .atAddress(address)
            .inFile(source.name());
      }
    }
  }

  private Optional<Long> childFor(GroupTreeNode node, MemorySegment name) {
    int low = 0;
    int high = node.children().size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(name, heap.bytes(node.keys().get(middle + 1))) <= 0) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low < node.children().size() ? Optional.of(node.children().get(low)) : Optional.empty();
  }

  /** Compares bytes as unsigned values, as {@code strcmp} does. */
  static int compare(MemorySegment one, MemorySegment two) {
    long at = one.mismatch(two);
    if (at < 0) {
      return 0;
    }
    if (at == one.byteSize() || at == two.byteSize()) {
      return Long.compare(one.byteSize(), two.byteSize());
    }
    return Byte.compareUnsigned(
        one.get(ValueLayout.JAVA_BYTE, at), two.get(ValueLayout.JAVA_BYTE, at));
  }

  private void checkOrder(SymbolEntry one, SymbolEntry next) {
    if (compare(heap.bytes(one.nameOffset()), heap.bytes(next.nameOffset())) >= 0) {
      throw new FormatException(
              "order of links in a symbol table",
              "a name after " + heap.text(one.nameOffset()),
              heap.text(next.nameOffset()))
          .inFile(source.name());
    }
  }

  private LinkMessage link(SymbolEntry entry) {
    String name = heap.text(entry.nameOffset());
    if (entry.cached() instanceof SymbolEntry.OfSoftLink(long path)) {
      return LinkMessage.of(name, new LinkTarget.Soft(heap.text(path)));
    }
    if (!FileAddress.isDefined(entry.headerAddress())) {
      throw new FormatException("address of a link in a symbol table", "defined", "undefined")
          .inObject("link " + name);
    }
    return LinkMessage.of(name, new LinkTarget.Hard(entry.headerAddress()));
  }

  /**
   * Returns the file space of the table: tree nodes, symbol table nodes and local heap.
   *
   * @param orders the node sizes of the file
   */
  public List<Block> blocks(TreeOrders orders) {
    List<Block> blocks = new ArrayList<>();
    long treeSize = GroupTreeNode.size(widths, orders.groupNodes());
    Walk walk = new Walk(address -> blocks.add(new Block(address, treeSize)), _ -> {});
    walk.start();
    long nodeSize = SymbolNode.size(widths, orders.leafLinks());
    walk.leaves.forEach(address -> blocks.add(new Block(address, nodeSize)));
    blocks.add(heap.header());
    if (heap.dataSize() > 0) {
      blocks.add(new Block(heap.dataAddress(), heap.dataSize()));
    }
    return blocks;
  }

  /**
   * Returns the file space of the table without the root node of the tree and the header of the
   * heap: the blocks that can be freed once {@link SymbolTableWriter} has written a new table.
   *
   * @param orders the node sizes of the file
   */
  public List<Block> body(TreeOrders orders) {
    return blocks(orders).stream()
        .filter(block -> block.address() != root && block.address() != heap.header().address())
        .toList();
  }

  /** One traversal of the whole tree, in the order of names. */
  private final class Walk {
    private final Consumer<Long> onTreeNode;
    private final Consumer<SymbolNode> onLeaf;
    private final Set<Long> seen = new HashSet<>();
    private final List<Long> leaves = new ArrayList<>();

    Walk(Consumer<Long> onTreeNode, Consumer<SymbolNode> onLeaf) {
      this.onTreeNode = onTreeNode;
      this.onLeaf = onLeaf;
    }

    void start() {
      enter(root);
      descend(root, GroupTreeNode.read(source, widths, root));
    }

    /**
     * Visits the children of a node. The recursion is at most as deep as the level of the root,
     * which is at most 255.
     */
    private void descend(long address, GroupTreeNode node) {
      onTreeNode.accept(address);
      for (long child : node.children()) {
        enter(child);
        if (node.level() == 0) {
          leaves.add(child);
          onLeaf.accept(SymbolNode.read(source, widths, child));
        } else {
          GroupTreeNode below = GroupTreeNode.read(source, widths, child);
          below.checkLevel(node.level() - 1, child);
          descend(child, below);
        }
      }
    }

    private void enter(long address) {
      if (!seen.add(address)) {
        throw new FormatException("B-tree of a group", "each node once", "a node twice")
            .atAddress(address)
            .inFile(source.name());
      }
    }
  }
}
