package io.skerry.format.heap;

import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * The managed objects of a heap that is being changed. Keeps an {@link EditedDirectBlock} for each
 * direct block, by heap offset, and derives the indirect blocks from them.
 */
final class ManagedObjects {
  private final FractalHeapParameters p;
  private final Widths widths;
  private final long overhead;
  private final HeapGaps gaps = new HeapGaps();
  private final TreeMap<Long, EditedDirectBlock> blocks = new TreeMap<>();
  private Map<Long, StoredIndirect> indirect = new HashMap<>();
  private final List<Block> dropped = new ArrayList<>();
  private int rows;
  private long objects;

  /**
   * An indirect block of the file.
   *
   * @param content the decoded block
   * @param at its file space
   */
  private record StoredIndirect(IndirectBlock content, Block at) {}

  ManagedObjects(FractalHeapParameters p, Widths widths) {
    this.p = p;
    this.widths = widths;
    this.overhead = p.directOverhead(widths);
    if (p.table().startSize() <= overhead) {
      throw new FormatException(
          "fractal heap starting block size",
          "more than its prefix of " + overhead,
          p.table().startSize());
    }
    if (p.maxManaged() > p.table().maxDirect() - overhead) {
      throw new FormatException(
          "largest managed object",
          "at most " + (p.table().maxDirect() - overhead),
          p.maxManaged());
    }
  }

  /**
   * Loads the blocks of a heap. Treats all object space in the direct blocks as free until {@link
   * #occupy} marks it as occupied.
   */
  void load(FractalHeap heap) {
    rows = heap.header().root().rows();
    heap.visit(
        (block, at) -> indirect.put(block.offset(), new StoredIndirect(block, at)),
        leaf -> hold(EditedDirectBlock.stored(leaf, heap)));
  }

  private void hold(EditedDirectBlock block) {
    blocks.put(block.offset(), block);
    gaps.add(block.offset() + overhead, block.size() - overhead);
  }

  /**
   * Marks the space of a stored object as occupied.
   *
   * @throws FormatException if the length is less than 1, or if the range is not inside one block
   *     or overlaps another object
   */
  void occupy(long offset, long length) {
    if (length < 1 || offset < 0 || !gaps.takeAt(offset, length)) {
      throw new FormatException(
          "place of a heap object", "in a block, over no other", offset + "+" + length);
    }
    block(offset).count(length);
    objects++;
  }

  private EditedDirectBlock block(long offset) {
    return blocks.floorEntry(offset).getValue();
  }

  /** Stores an object and returns its heap offset. */
  long add(MemorySegment object) {
    long length = object.byteSize();
    OptionalLong found = gaps.take(length);
    if (found.isEmpty()) {
      extend(length);
      found = gaps.take(length);
    }
    long offset = found.orElseThrow();
    block(offset).put(offset, object);
    objects++;
    return offset;
  }

  /**
   * Returns the bytes of an object.
   *
   * @throws FormatException if the length is less than 1, or if the range is not within the object
   *     space of one block
   */
  MemorySegment object(long offset, long length) {
    Map.Entry<Long, EditedDirectBlock> found = blocks.floorEntry(offset);
    if (found == null
        || offset < found.getKey() + overhead
        || length < 1
        || length > found.getKey() + found.getValue().size() - offset) {
      throw new FormatException("place of a heap object", "in a block", offset + "+" + length);
    }
    return found.getValue().object(offset, length);
  }

  void remove(long offset, long length) {
    object(offset, length);
    EditedDirectBlock block = block(offset);
    block.remove(offset, length);
    gaps.add(offset, length);
    objects--;
    if (block.used() == 0) {
      gaps.takeAt(block.offset() + overhead, block.size() - overhead);
      blocks.remove(block.offset());
      block.stored().ifPresent(dropped::add);
    }
  }

  /** Adds a direct block that is large enough for an object of the given length. */
  private void extend(long length) {
    DoublingTable table = p.table();
    int row = rowFor(length);
    if (blocks.isEmpty() && row == 0) {
      rows = 0;
      hold(EditedDirectBlock.fresh(0, table.startSize()));
      return;
    }
    int most = table.maxRows();
    if (rows == 0) {
      rows = p.startRows() == 0 ? most : p.startRows();
    }
    rows = Math.min(Math.max(rows, row + 1), most);
    Optional<EditedDirectBlock> fresh = slot(0, rows, length);
    while (fresh.isEmpty()) {
      if (rows == most) {
        throw new IllegalStateException("fractal heap is full: bits=" + table.maxBits());
      }
      rows = Math.min(2 * rows, most);
      fresh = slot(0, rows, length);
    }
    hold(fresh.get());
  }

  /** Returns the first row whose blocks can hold an object of the given length. */
  private int rowFor(long length) {
    int row = 0;
    while (p.table().blockSize(row) - overhead < length) {
      row++;
    }
    return row;
  }

  /**
   * Finds the first unused position below an indirect block at which direct blocks are large enough
   * for an object, and returns a new direct block for it; empty if there is no such position.
   *
   * @param offset the heap offset of the indirect block
   * @param rowCount the number of rows of the indirect block
   * @param length the size of the object in bytes
   */
  private Optional<EditedDirectBlock> slot(long offset, int rowCount, long length) {
    DoublingTable table = p.table();
    int largest = Math.min(rowCount, table.directRows()) - 1;
    int smallest = Math.min(largest, rowFor(length));
    if (table.blockSize(largest) - overhead < length) {
      // Without this check, an indirect block without a suitable row would be searched in full.
      return Optional.empty();
    }
    for (int entry = smallest * table.width(); entry < rowCount * table.width(); entry++) {
      int row = entry / table.width();
      long start = offset + table.blockOffset(entry);
      long size = table.blockSize(row);
      if (row >= table.directRows()) {
        Optional<EditedDirectBlock> below = slot(start, table.rowsWithin(row), length);
        if (below.isPresent()) {
          return below;
        }
      } else if (size - overhead >= length && !blocks.containsKey(start)) {
        return Optional.of(EditedDirectBlock.fresh(start, size));
      }
    }
    return Optional.empty();
  }

  /**
   * Appends the blocks to write.
   *
   * @param heap the address of the heap header
   * @param allocator the allocator of the file space
   * @param images the list to which the blocks are added
   * @return the header fields for the root block
   */
  FractalHeapHeader.Root commit(long heap, SpaceAllocator allocator, List<BlockImage> images) {
    dropped.forEach(allocator::freeStored);
    dropped.clear();
    for (EditedDirectBlock block : blocks.values()) {
      block.commit(p, widths, heap, allocator).ifPresent(images::add);
    }
    Map<Long, StoredIndirect> before = indirect;
    indirect = new HashMap<>();
    FractalHeapHeader.Root root;
    EditedDirectBlock first = blocks.get(0L);
    if (blocks.isEmpty()) {
      rows = 0;
      root = new FractalHeapHeader.Root(FileAddress.UNDEFINED, 0, 0, 0);
    } else if (first != null && blocks.size() == 1) {
      rows = 0;
      IndirectBlock.Child at = first.place();
      root = new FractalHeapHeader.Root(at.address(), 0, at.filteredSize(), at.filterMask());
    } else {
      long at = indirect(0, rows, before, heap, allocator, images);
      root = new FractalHeapHeader.Root(at, rows, 0, 0);
    }
    before.values().stream()
        .sorted((a, b) -> a.at().compareTo(b.at()))
        .forEach(gone -> allocator.freeStored(gone.at()));
    return root;
  }

  /**
   * Appends the image of an indirect block if it is new or changed, and returns the block's
   * address.
   */
  private long indirect(
      long offset,
      int rowCount,
      Map<Long, StoredIndirect> before,
      long heap,
      SpaceAllocator allocator,
      List<BlockImage> images) {
    DoublingTable table = p.table();
    List<IndirectBlock.Child> children = new ArrayList<>();
    for (int entry = 0; entry < rowCount * table.width(); entry++) {
      int row = entry / table.width();
      long start = offset + table.blockOffset(entry);
      IndirectBlock.Child child = IndirectBlock.Child.NONE;
      if (row < table.directRows()) {
        EditedDirectBlock block = blocks.get(start);
        child = block == null ? child : block.place();
      } else if (!blocks.subMap(start, start + table.blockSize(row)).isEmpty()) {
        long below = indirect(start, table.rowsWithin(row), before, heap, allocator, images);
        child = new IndirectBlock.Child(below, 0, 0);
      }
      children.add(child);
    }
    IndirectBlock content = new IndirectBlock(offset, rowCount, children);
    StoredIndirect old = before.get(offset);
    if (old != null && old.content().rows() == rowCount) {
      before.remove(offset);
      indirect.put(offset, new StoredIndirect(content, old.at()));
      if (!old.content().equals(content)) {
        images.add(content.image(p, widths, heap, old.at().address()));
      }
      return old.at().address();
    }
    Block at = allocator.allocateBlock(p.indirectSize(rowCount, widths));
    indirect.put(offset, new StoredIndirect(content, at));
    images.add(content.image(p, widths, heap, at.address()));
    return at.address();
  }

  /**
   * Returns the header fields for managed objects after {@link #commit}. In these fields, the
   * address of the free-space manager is undefined.
   */
  FractalHeapHeader.Managed statistics() {
    long used = 0;
    long allocated = 0;
    for (EditedDirectBlock block : blocks.values()) {
      used += block.used();
      allocated += block.size();
    }
    long span = 0;
    long capacity = 0;
    long next = 0;
    if (rows > 0) {
      span = p.table().span(rows);
      capacity = capacity(rows);
      EditedDirectBlock last = blocks.lastEntry().getValue();
      next = last.offset() + last.size();
    } else if (!blocks.isEmpty()) {
      span = p.table().startSize();
      capacity = span - overhead;
    }
    return new FractalHeapHeader.Managed(
        capacity - used, FileAddress.UNDEFINED, span, allocated, next, objects);
  }

  /**
   * Returns the number of bytes that objects can occupy below an indirect block with the given
   * number of rows.
   */
  private long capacity(int rowCount) {
    DoublingTable table = p.table();
    long[] capacities = new long[rowCount + 1];
    for (int row = 0; row < rowCount; row++) {
      long one =
          row < table.directRows()
              ? table.blockSize(row) - overhead
              : capacities[table.rowsWithin(row)];
      capacities[row + 1] = capacities[row] + one * table.width();
    }
    return capacities[rowCount];
  }
}
