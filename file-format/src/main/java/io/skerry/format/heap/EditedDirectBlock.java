package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.Widths;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A direct block of a heap that is being changed, either new or already in the file. A block that
 * is in the file is read when one of its objects is first accessed.
 */
final class EditedDirectBlock {
  private static final ValueLayout.OfInt U32 =
      ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

  private final long offset;
  private final long size;
  private final Supplier<MemorySegment> load;
  private Optional<MemorySegment> bytes = Optional.empty();
  private IndirectBlock.Child place;
  private Optional<Block> stored;
  private long used;
  private boolean changed;

  private EditedDirectBlock(
      long offset, long size, Supplier<MemorySegment> load, Optional<Block> stored) {
    this.offset = offset;
    this.size = size;
    this.load = load;
    this.stored = stored;
    this.place = IndirectBlock.Child.NONE;
  }

  static EditedDirectBlock fresh(long offset, long size) {
    EditedDirectBlock block =
        new EditedDirectBlock(offset, size, () -> HeapBytes.allocate(size), Optional.empty());
    block.changed = true;
    return block;
  }

  static EditedDirectBlock stored(DirectBlock from, FractalHeap heap) {
    FractalHeapHeader header = heap.header();
    EditedDirectBlock block =
        new EditedDirectBlock(
            from.offset(),
            from.size(),
            () -> HeapBytes.copyOf(from.read(heap.source(), header)),
            Optional.of(from.stored()));
    long filteredSize = header.parameters().isFiltered() ? from.stored().length() : 0;
    block.place = new IndirectBlock.Child(from.stored().address(), filteredSize, from.filterMask());
    return block;
  }

  long offset() {
    return offset;
  }

  long size() {
    return size;
  }

  /** Returns the entry of this block in its indirect block or in the heap header. */
  IndirectBlock.Child place() {
    return place;
  }

  /** Returns the file space of the block, if the block is in the file. */
  Optional<Block> stored() {
    return stored;
  }

  /** Returns the number of bytes that objects occupy. */
  long used() {
    return used;
  }

  /** Adds to {@link #used} the length in bytes of an object that is already in the block. */
  void count(long length) {
    used += length;
  }

  private MemorySegment bytes() {
    MemorySegment loaded = bytes.orElseGet(load);
    bytes = Optional.of(loaded);
    return loaded;
  }

  MemorySegment object(long at, long length) {
    return bytes().asSlice(at - offset, length);
  }

  void put(long at, MemorySegment object) {
    object(at, object.byteSize()).copyFrom(object);
    used += object.byteSize();
    changed = true;
  }

  void remove(long at, long length) {
    object(at, length).fill((byte) 0);
    used -= length;
    changed = true;
  }

  /**
   * Returns the block to write; empty if it did not change. A filtered block that changed is always
   * stored at a newly allocated address.
   */
  Optional<BlockImage> commit(
      FractalHeapParameters p, Widths widths, long heap, SpaceAllocator allocator) {
    if (!changed) {
      return Optional.empty();
    }
    changed = false;
    MemorySegment block = bytes();
    writePrefix(block, p, widths, heap);
    if (!p.isFiltered()) {
      Block at = stored.orElseGet(() -> allocator.allocateBlock(size));
      stored = Optional.of(at);
      place = new IndirectBlock.Child(at.address(), 0, 0);
      return image(at, HeapBytes.copyOf(block));
    }
    FilterPipeline.Encoded encoded = p.filtered(block);
    MemorySegment filtered = HeapBytes.copyOf(encoded.bytes());
    stored.ifPresent(allocator::freeStored);
    Block at = allocator.allocateBlock(filtered.byteSize());
    stored = Optional.of(at);
    place = new IndirectBlock.Child(at.address(), at.length(), encoded.mask());
    return image(at, filtered);
  }

  private static Optional<BlockImage> image(Block at, MemorySegment bytes) {
    return Optional.of(new BlockImage(at.address(), BlockKind.FRACTAL_HEAP_DIRECT_BLOCK, bytes));
  }

  private void writePrefix(MemorySegment block, FractalHeapParameters p, Widths widths, long heap) {
    ByteWriter out = ByteWriter.create().text("FHDB").u8(0);
    widths.writeAddress(out, heap);
    out.uint(offset, p.table().offsetBytes());
    MemorySegment prefix = out.written();
    block.asSlice(0, prefix.byteSize()).copyFrom(prefix);
    if (p.isChecksummed()) {
      block.set(U32, prefix.byteSize(), DirectBlock.checksum(block, prefix.byteSize()));
    }
  }
}
