package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.RecentBlocks;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Reads a fractal heap. Returns objects by heap ID, whether they are stored in a direct block
 * (managed), in a block of their own (huge) or in their ID (tiny). Undoes the filters of the heap.
 *
 * <p>Every direct or indirect block is verified when it is read; recently used blocks are cached.
 * Huge objects have no checksum. The returned objects are views that are valid while the source is
 * open. Local, thread-safe. Source: HDF5 File Format Specification 3.0, section III.G, "Fractal
 * Heap".
 */
public final class FractalHeap {
  private static final long KEPT = 8 << 20;

  /** Maximum expansion ratio of deflate. */
  private static final long FILTER_GAIN = 1032;

  private final ByteSource source;
  private final FractalHeapHeader header;
  private final RecentBlocks<DirectBlock, MemorySegment> direct = new RecentBlocks<>(KEPT);
  private final RecentBlocks<Place, IndirectBlock> indirect = new RecentBlocks<>(KEPT);

  private FractalHeap(ByteSource source, FractalHeapHeader header) {
    this.source = source;
    this.header = header;
  }

  /**
   * Opens a heap; reads only its header.
   *
   * @param source the file
   * @param widths the sizes of offsets and lengths in the file
   * @param address the address of the header
   * @throws FormatException if the header is damaged; the exception names the file and the address
   */
  public static FractalHeap open(ByteSource source, Widths widths, long address) {
    return new FractalHeap(source, FractalHeapHeader.read(source, widths, address));
  }

  /** Returns the parameters that were set when the heap was created. */
  public FractalHeapParameters parameters() {
    return header.parameters();
  }

  /** Returns the number of objects, according to the header. */
  public long objects() {
    return header.managed().objects() + header.huge().objects() + header.tinyObjects();
  }

  /**
   * Returns an upper bound on the total size in bytes of the objects of an undamaged heap, assuming
   * that its filters together do not expand data more than deflate can.
   */
  public long mostBytes() {
    long gain = header.parameters().isFiltered() ? FILTER_GAIN : 1;
    return source.size() > Long.MAX_VALUE / gain ? Long.MAX_VALUE : source.size() * gain;
  }

  FractalHeapHeader header() {
    return header;
  }

  ByteSource source() {
    return source;
  }

  /**
   * Returns an object.
   *
   * @param heapId the heap ID; bytes beyond the ID length of the heap are ignored
   * @throws FormatException if the ID is damaged, if a managed ID does not refer to space within a
   *     direct block, if a huge ID refers to a missing B-tree record or to space outside the file,
   *     or if a block on the path to the object is damaged
   * @throws io.skerry.exception.UnsupportedFeatureException if a filter is unknown
   */
  public MemorySegment object(MemorySegment heapId) {
    try {
      return switch (HeapId.decode(heapId, header.parameters(), header.widths())) {
        case HeapId.Managed(long offset, long length) -> managed(offset, length);
        case HeapId.Numbered(long number) -> huge(numbered(number));
        case HeapId.Placed(HugeRecord place) -> huge(place);
        case HeapId.Tiny(Bytes bytes) -> bytes.segment();
      };
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(header.address()).inObject("fractal heap");
    }
  }

  /**
   * Returns the position of an object in the heap. Reading many objects in order of position reads
   * them approximately in the order in which they are stored.
   *
   * @param heapId the heap ID
   * @return the heap offset of a managed object; 0 for a huge or tiny object
   * @throws FormatException if the ID is damaged
   */
  public long position(MemorySegment heapId) {
    try {
      return switch (HeapId.decode(heapId, header.parameters(), header.widths())) {
        case HeapId.Managed(long offset, long _) -> offset;
        case HeapId.Numbered _, HeapId.Placed _, HeapId.Tiny _ -> 0;
      };
    } catch (FormatException e) {
      throw e.inFile(source.name()).atAddress(header.address()).inObject("fractal heap");
    }
  }

  private MemorySegment managed(long offset, long length) {
    FractalHeapParameters p = header.parameters();
    if (length < 1 || length > p.maxManaged()) {
      throw new FormatException("length of a heap object", "1 to " + p.maxManaged(), length);
    }
    DirectBlock block = blockOf(offset);
    long at = offset - block.offset();
    if (at < p.directOverhead(header.widths()) || at > block.size() - length) {
      throw new FormatException(
          "heap object in its block",
          "between " + p.directOverhead(header.widths()) + " and " + block.size(),
          at + "+" + length);
    }
    return bytes(block).asSlice(at, length);
  }

  private MemorySegment bytes(DirectBlock block) {
    return direct.get(block, block.stored().length(), () -> block.read(source, header));
  }

  /** Finds the direct block that contains a heap offset. */
  private DirectBlock blockOf(long offset) {
    FractalHeapHeader.Root root = header.root();
    DoublingTable table = header.parameters().table();
    long span = root.rows() == 0 ? table.startSize() : table.span(root.rows());
    if (!FileAddress.isDefined(root.address()) || offset < 0 || offset >= span) {
      throw new FormatException(
          "offset in a fractal heap",
          "below " + (FileAddress.isDefined(root.address()) ? span : 0),
          Long.toUnsignedString(offset));
    }
    if (root.rows() == 0) {
      return rootBlock();
    }
    IndirectBlock at = indirect(root.address(), 0, root.rows());
    while (true) {
      int entry = (int) table.entryOf(offset - at.offset());
      int row = entry / table.width();
      long start = at.offset() + table.blockOffset(entry);
      IndirectBlock.Child child = at.children().get(entry);
      if (!FileAddress.isDefined(child.address())) {
        throw new FormatException("block of a heap object", "one in the file", "none");
      }
      if (row < table.directRows()) {
        return directBlock(child, table.blockSize(row), start);
      }
      at = indirect(child.address(), start, table.rowsWithin(row));
    }
  }

  private DirectBlock rootBlock() {
    FractalHeapHeader.Root root = header.root();
    var child = new IndirectBlock.Child(root.address(), root.filteredSize(), root.filterMask());
    return directBlock(child, header.parameters().table().startSize(), 0);
  }

  private DirectBlock directBlock(IndirectBlock.Child child, long size, long offset) {
    long stored = header.parameters().isFiltered() ? child.filteredSize() : size;
    return new DirectBlock(new Block(child.address(), stored), child.filterMask(), size, offset);
  }

  private IndirectBlock indirect(long address, long offset, int rows) {
    Block block = IndirectBlock.block(header, address, rows);
    return indirect.get(
        new Place(address, offset, rows),
        block.length(),
        () -> IndirectBlock.read(source, header, block, offset, rows));
  }

  /** A reference to an indirect block: its address, its heap offset and its number of rows. */
  private record Place(long address, long offset, int rows) {}

  private HugeRecord numbered(long number) {
    if (!FileAddress.isDefined(header.huge().tree())) {
      throw new FormatException("huge object", "a B-tree of huge objects", "none");
    }
    return hugeTree()
        .find(record -> Long.compareUnsigned(decode(record).number(), number))
        .map(this::decode)
        .orElseThrow(() ->
            new FormatException(
                "huge object", "its number in the B-tree", Long.toUnsignedString(number)));
  }

  private HugeRecord decode(MemorySegment record) {
    return HugeRecord.decode(
        ByteReader.of(record, "record of a huge object"), header.parameters(), header.widths());
  }

  BTree2 hugeTree() {
    FractalHeapParameters p = header.parameters();
    Widths widths = header.widths();
    return BTree2.open(source, widths, header.huge().tree())
        .require(HugeRecord.type(p, widths), HugeRecord.recordSize(p, widths));
  }

  MemorySegment huge(HugeRecord at) {
    MemorySegment bytes = source.read(at.stored().address(), at.stored().length());
    if (!header.parameters().isFiltered()) {
      return bytes;
    }
    MemorySegment plain = header.parameters().filters().undo(bytes, at.filterMask(), at.size());
    if (plain.byteSize() != at.size()) {
      throw new FormatException("unfiltered bytes of a huge object", at.size(), plain.byteSize())
          .atAddress(at.stored().address());
    }
    return plain;
  }

  /**
   * Returns all file space that the heap occupies: its header and blocks, the huge objects and
   * their B-tree, and the free-space manager. Reads and verifies all of these except the huge
   * objects.
   */
  public List<Block> blocks() {
    List<Block> blocks = new ArrayList<>();
    blocks.add(header.block());
    visit(
        (block, at) -> blocks.add(at),
        leaf -> {
          bytes(leaf);
          blocks.add(leaf.stored());
        });
    if (FileAddress.isDefined(header.huge().tree())) {
      BTree2 tree = hugeTree();
      blocks.addAll(tree.blocks());
      tree.forEach(record -> blocks.add(decode(record).stored()));
    }
    if (FileAddress.isDefined(header.managed().freeSpace())) {
      blocks.addAll(
          FreeSpaceHeader.read(source, header.widths(), header.managed().freeSpace())
              .blocks(source, header.widths(), header.parameters().table()));
    }
    return blocks;
  }

  /** Visits all blocks in the order of the heap's address space; reads the indirect blocks. */
  void visit(BiConsumer<IndirectBlock, Block> indirectBlock, Consumer<DirectBlock> directBlock) {
    FractalHeapHeader.Root root = header.root();
    if (!FileAddress.isDefined(root.address())) {
      return;
    }
    if (root.rows() == 0) {
      directBlock.accept(rootBlock());
    } else {
      visit(root.address(), 0, root.rows(), indirectBlock, directBlock);
    }
  }

  private void visit(
      long address,
      long offset,
      int rows,
      BiConsumer<IndirectBlock, Block> indirectBlock,
      Consumer<DirectBlock> directBlock) {
    DoublingTable table = header.parameters().table();
    IndirectBlock block = indirect(address, offset, rows);
    indirectBlock.accept(block, IndirectBlock.block(header, address, rows));
    for (int entry = 0; entry < block.children().size(); entry++) {
      IndirectBlock.Child child = block.children().get(entry);
      int row = entry / table.width();
      if (FileAddress.isDefined(child.address())) {
        long start = offset + table.blockOffset(entry);
        if (row < table.directRows()) {
          directBlock.accept(directBlock(child, table.blockSize(row), start));
        } else {
          visit(child.address(), start, table.rowsWithin(row), indirectBlock, directBlock);
        }
      }
    }
  }
}
