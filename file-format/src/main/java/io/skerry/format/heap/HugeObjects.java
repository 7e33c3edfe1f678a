package io.skerry.format.heap;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.bytes.HeapBytes;
import io.skerry.exception.FormatException;
import io.skerry.filter.pipeline.FilterPipeline;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.BlockKind;
import io.skerry.format.block.FileAddress;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2Editor;
import io.skerry.format.btree.BTree2Parameters;
import io.skerry.format.btree.RecordOrder;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The huge objects of a heap that is being changed, and their B-tree. */
final class HugeObjects {
  private static final int NODE_SIZE = 512;
  private static final int SPLIT_PERCENT = 100;
  private static final int MERGE_PERCENT = 40;

  private final FractalHeapParameters p;
  private final Widths widths;
  private final SpaceAllocator allocator;
  private final Optional<FractalHeap> heap;
  private Optional<BTree2Editor> tree = Optional.empty();
  private final Map<Long, Fresh> fresh = new TreeMap<>();
  private FractalHeapHeader.Huge state;

  /**
   * An object that has not been written yet.
   *
   * @param stored the bytes to store, filtered if the heap has filters
   * @param plain the unfiltered bytes
   */
  private record Fresh(MemorySegment stored, MemorySegment plain) {}

  HugeObjects(
      FractalHeapParameters p,
      Widths widths,
      SpaceAllocator allocator,
      Optional<FractalHeap> heap) {
    this.p = p;
    this.widths = widths;
    this.allocator = allocator;
    this.heap = heap;
    this.state =
        heap.map(h -> h.header().huge())
            .orElse(
                new FractalHeapHeader.Huge(
                    FractalHeapHeader.Numbering.FRESH, 0, FileAddress.UNDEFINED, 0, 0));
    if (heap.isPresent() && FileAddress.isDefined(state.tree())) {
      tree = Optional.of(BTree2Editor.open(heap.get().hugeTree()));
    }
  }

  HeapId add(MemorySegment object) {
    MemorySegment plain = HeapBytes.copyOf(object);
    MemorySegment stored = plain;
    int mask = 0;
    if (p.isFiltered()) {
      FilterPipeline.Encoded encoded = p.filtered(plain);
      stored = HeapBytes.copyOf(encoded.bytes());
      mask = encoded.mask();
    }
    Block at = allocator.allocateBlock(stored.byteSize());
    fresh.put(at.address(), new Fresh(stored, plain));
    boolean direct = p.isHugeDirect(widths);
    long number = direct ? 0 : nextNumber();
    HugeRecord record = new HugeRecord(at, mask, plain.byteSize(), number);
    ByteWriter out = ByteWriter.create();
    record.encode(out, p, widths);
    editor().insert(out.written(), order(record));
    state =
        new FractalHeapHeader.Huge(
            state.numbering(),
            direct ? state.nextNumber() : number,
            state.tree(),
            state.bytes() + plain.byteSize(),
            state.objects() + 1);
    return direct ? new HeapId.Placed(record) : new HeapId.Numbered(number);
  }

  private long nextNumber() {
    int bits = 8 * Math.min(p.hugeNumberBytes(), widths.length());
    long last = bits == 64 ? Long.MAX_VALUE : (1L << bits) - 1;
    if (state.numbering() != FractalHeapHeader.Numbering.FRESH
        || Long.compareUnsigned(state.nextNumber(), last) >= 0) {
      throw new IllegalStateException("no number left for a huge object: last=" + last);
    }
    return state.nextNumber() + 1;
  }

  private BTree2Editor editor() {
    BTree2Editor editor =
        tree.orElseGet(() ->
            BTree2Editor.build(
                new BTree2Parameters(
                    HugeRecord.type(p, widths),
                    NODE_SIZE,
                    HugeRecord.recordSize(p, widths),
                    SPLIT_PERCENT,
                    MERGE_PERCENT),
                widths,
                List.of()));
    tree = Optional.of(editor);
    return editor;
  }

  private HugeRecord decode(MemorySegment record) {
    return HugeRecord.decode(ByteReader.of(record, "record of a huge object"), p, widths);
  }

  private RecordOrder order(HugeRecord sought) {
    return p.isHugeDirect(widths)
        ? record -> decode(record).stored().compareTo(sought.stored())
        : record -> Long.compareUnsigned(decode(record).number(), sought.number());
  }

  private HugeRecord find(HeapId id) {
    HugeRecord sought =
        id instanceof HeapId.Placed(HugeRecord place)
            ? place
            : new HugeRecord(new Block(0, 1), 0, 0, ((HeapId.Numbered) id).number());
    return tree.flatMap(editor -> editor.find(order(sought)))
        .map(this::decode)
        .orElseThrow(() -> new FormatException("huge object", "one in the B-tree", id));
  }

  MemorySegment object(HeapId id) {
    HugeRecord at = find(id);
    Fresh found = fresh.get(at.stored().address());
    return found != null ? found.plain() : heap.orElseThrow().huge(at);
  }

  void remove(HeapId id) {
    HugeRecord at = find(id);
    editor().delete(order(at));
    fresh.remove(at.stored().address());
    allocator.freeStored(at.stored());
    state =
        new FractalHeapHeader.Huge(
            state.numbering(),
            state.nextNumber(),
            state.tree(),
            FractalHeapEditor.less("bytes of huge objects", state.bytes(), at.size()),
            FractalHeapEditor.less("huge objects", state.objects(), 1));
  }

  /** Appends the blocks to write and returns the header fields for huge objects. */
  FractalHeapHeader.Huge commit(List<BlockImage> images) {
    fresh.forEach((address, object) ->
        images.add(new BlockImage(address, BlockKind.FRACTAL_HEAP_HUGE_OBJECT, object.stored())));
    fresh.clear();
    long treeAddress = FileAddress.UNDEFINED;
    if (tree.isPresent()) {
      BTree2Editor editor = tree.get();
      if (editor.size() == 0) {
        editor.release(allocator);
        tree = Optional.empty();
      } else {
        images.addAll(editor.commit(allocator));
        treeAddress = editor.address();
      }
    }
    state =
        new FractalHeapHeader.Huge(
            state.numbering(), state.nextNumber(), treeAddress, state.bytes(), state.objects());
    return state;
  }
}
