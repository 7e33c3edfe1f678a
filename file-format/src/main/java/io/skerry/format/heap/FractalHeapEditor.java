package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.message.dataset.FilterPipelineMessage;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Creates or changes a fractal heap in memory and then returns the blocks to write. Reads all
 * indirect blocks, and the direct blocks that a change touches. Blocks that are in the file keep
 * their addresses, except for filtered blocks that change and a root block whose number of rows
 * changes.
 *
 * <p>A managed object is stored in the smallest gap that is large enough. Free space is derived
 * from the IDs in use, not from the free-space manager of the heap. A changed heap has no
 * free-space manager, which the format permits.
 *
 * <p>Space for huge objects is allocated when they are added, all other space by {@link #commit}.
 * Not thread-safe; local. The same calls on identical heaps, with allocators in the same state,
 * produce identical blocks.
 */
public final class FractalHeapEditor {
  private final FractalHeapParameters p;
  private final Widths widths;
  private final SpaceAllocator allocator;
  private final ManagedObjects managed;
  private final HugeObjects huge;
  private final Bytes filterMessage;
  private final List<Block> freeSpace = new ArrayList<>();
  private long address;
  private long tinyBytes;
  private long tinyObjects;
  private boolean changed;

  private FractalHeapEditor(
      FractalHeapParameters p,
      Widths widths,
      Bytes filterMessage,
      SpaceAllocator allocator,
      Optional<FractalHeap> heap) {
    this.p = p;
    this.widths = widths;
    this.filterMessage = filterMessage;
    this.allocator = allocator;
    this.managed = new ManagedObjects(p, widths);
    this.huge = new HugeObjects(p, widths, allocator, heap);
    this.address = FileAddress.UNDEFINED;
  }

  /**
   * Creates a new, empty heap.
   *
   * @param parameters the parameters of the heap
   * @param widths the sizes of offsets and lengths in the file
   * @param allocator the allocator of the file space
   */
  public static FractalHeapEditor create(
      FractalHeapParameters parameters, Widths widths, SpaceAllocator allocator) {
    Bytes message = Bytes.EMPTY;
    if (parameters.isFiltered()) {
      ByteWriter out = ByteWriter.create();
      new FilterPipelineMessage(parameters.filters()).encode(out, widths);
      message = Bytes.of(out.written());
    }
    FractalHeapEditor editor =
        new FractalHeapEditor(parameters, widths, message, allocator, Optional.empty());
    editor.changed = true;
    return editor;
  }

  /**
   * Opens a stored heap for changes.
   *
   * @param heap the heap
   * @param idsInUse the IDs of all its objects
   * @param allocator the allocator of the file space
   * @throws FormatException if a block or an ID is damaged, or if an object overlaps another object
   *     or is not inside one block
   */
  public static FractalHeapEditor open(
      FractalHeap heap, Iterable<Bytes> idsInUse, SpaceAllocator allocator) {
    FractalHeapHeader header = heap.header();
    FractalHeapEditor editor =
        new FractalHeapEditor(
            header.parameters(),
            header.widths(),
            header.filterMessage(),
            allocator,
            Optional.of(heap));
    editor.address = header.address();
    editor.tinyBytes = header.tinyBytes();
    editor.tinyObjects = header.tinyObjects();
    editor.managed.load(heap);
    List<HeapId.Managed> used = new ArrayList<>();
    for (Bytes id : idsInUse) {
      if (editor.decode(id) instanceof HeapId.Managed object) {
        used.add(object);
      }
    }
    // Sorted by offset, so that each object only shortens the gap after the previous object.
    used.sort(Comparator.comparingLong(HeapId.Managed::offset));
    used.forEach(object -> editor.managed.occupy(object.offset(), object.length()));
    if (FileAddress.isDefined(header.managed().freeSpace())) {
      editor.freeSpace.addAll(
          FreeSpaceHeader.read(heap.source(), header.widths(), header.managed().freeSpace())
              .blocks(heap.source(), header.widths(), header.parameters().table()));
    }
    return editor;
  }

  /**
   * Returns the address of the header; undefined before the first {@link #commit} of a new heap.
   */
  public long address() {
    return address;
  }

  /**
   * Adds an object.
   *
   * @param object the object, at least one byte; copied
   * @return its heap ID
   * @throws IllegalArgumentException if the object is empty
   * @throws IllegalStateException if the heap is full, or if no ID is left for a huge object
   */
  public Bytes add(MemorySegment object) {
    if (object.byteSize() == 0) {
      throw new IllegalArgumentException("empty heap object");
    }
    changed = true;
    HeapId id;
    if (object.byteSize() <= p.maxTiny()) {
      id = new HeapId.Tiny(Bytes.of(object));
      tinyBytes += object.byteSize();
      tinyObjects++;
    } else if (object.byteSize() > p.maxManaged()) {
      id = huge.add(object);
    } else {
      id = new HeapId.Managed(managed.add(object), object.byteSize());
    }
    return id.encode(p, widths);
  }

  /**
   * Returns an object as a view that is valid until the next change.
   *
   * @throws FormatException if the ID is damaged, if a managed ID does not refer to space within a
   *     direct block, if a huge ID does not match a record in the B-tree, or if a block on the path
   *     to the object is damaged
   */
  public MemorySegment object(Bytes heapId) {
    return switch (decode(heapId)) {
      case HeapId.Managed(long offset, long length) -> managed.object(offset, length);
      case HeapId.Tiny(Bytes bytes) -> bytes.segment();
      case HeapId.Placed placed -> huge.object(placed);
      case HeapId.Numbered numbered -> huge.object(numbered);
    };
  }

  /**
   * Removes an object.
   *
   * @throws FormatException if the ID is damaged, if a managed ID does not refer to space within a
   *     direct block, if a huge ID does not match a record in the B-tree, if a counter in the heap
   *     header is too small, or if a block on the path to the object is damaged
   */
  public void remove(Bytes heapId) {
    changed = true;
    switch (decode(heapId)) {
      case HeapId.Managed(long offset, long length) -> managed.remove(offset, length);
      case HeapId.Tiny(Bytes bytes) -> {
        tinyBytes = less("bytes of tiny objects", tinyBytes, bytes.size());
        tinyObjects = less("tiny objects", tinyObjects, 1);
      }
      case HeapId.Placed placed -> huge.remove(placed);
      case HeapId.Numbered numbered -> huge.remove(numbered);
    }
  }

  /**
   * Returns a header counter minus the part that a removed object contributed to it.
   *
   * @throws FormatException if the counter is smaller than the part
   */
  static long less(String what, long counter, long part) {
    if (counter < part) {
      throw new FormatException(what + " of a fractal heap", "at least " + part, counter);
    }
    return counter - part;
  }

  private HeapId decode(Bytes heapId) {
    return HeapId.decode(heapId.segment(), p, widths);
  }

  /**
   * Allocates and frees file space, then returns the blocks to write; the list is empty if nothing
   * changed.
   */
  public List<BlockImage> commit() {
    List<BlockImage> images = new ArrayList<>();
    if (!changed) {
      return images;
    }
    changed = false;
    if (!FileAddress.isDefined(address)) {
      address = allocator.allocate(FractalHeapHeader.size(widths, filterMessage.size()));
    }
    freeSpace.forEach(allocator::freeStored);
    freeSpace.clear();
    FractalHeapHeader.Root root = managed.commit(address, allocator, images);
    FractalHeapHeader.Huge hugeState = huge.commit(images);
    images.add(
        new FractalHeapHeader(
                address,
                widths,
                p,
                filterMessage,
                hugeState,
                managed.statistics(),
                root,
                tinyBytes,
                tinyObjects)
            .image());
    return images;
  }
}
