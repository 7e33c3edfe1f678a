package io.skerry.format.index.btree;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.exception.FormatException;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.btree.BTree2;
import io.skerry.format.btree.BTree2Editor;
import io.skerry.format.btree.BTree2Parameters;
import io.skerry.format.btree.RecordOrder;
import io.skerry.format.btree.RecordType;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.ChunkTree;
import io.skerry.format.index.api.RecordFormat;
import io.skerry.format.index.api.RecordVisitor;
import io.skerry.format.index.api.TreeChange;
import io.skerry.format.index.api.TreeCommit;
import io.skerry.format.index.api.TreeIndex;
import io.skerry.format.layout.IndexInfo;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * A version 2 B-tree of chunks: records encoded by {@link RecordFormat} in a generic tree, ordered
 * by chunk coordinates. Source: HDF5 File Format Specification 3.0, section VII.E, "The Version 2
 * B-trees Index".
 *
 * <p>The tree is read on demand. A commit changes only the nodes that the changed records affect:
 * nodes that are in the file are replaced in place, new nodes are allocated, and nodes that are no
 * longer needed are freed. The number of new nodes is known only after the changes have been
 * applied, so the changes are applied twice: first to determine the space that they need, then to
 * use it.
 */
public final class ChunkBTree2 implements ChunkTree {
  private final RecordFormat records;
  private final Shape chunk;
  private final int rank;
  private final IndexInfo.BTree2 info;
  private final Widths widths;
  private final ByteSource source;
  private final Supplier<Optional<BTree2>> stored;
  private final TreeMap<ChunkCoordinates, Optional<ChunkRecord>> changes = new TreeMap<>();

  private ChunkBTree2(
      RecordFormat records, Shape chunk, IndexInfo.BTree2 info, Widths widths, ByteSource source) {
    this.records = records;
    this.chunk = chunk;
    this.rank = chunk.rank();
    this.info = info;
    this.widths = widths;
    this.source = source;
    this.stored = onDemand();
  }

  /** Returns a supplier that opens the tree on first use. */
  private Supplier<Optional<BTree2>> onDemand() {
    List<BTree2> opened = new ArrayList<>(1);
    return () -> {
      if (opened.isEmpty() && info.isAllocated()) {
        opened.add(
            BTree2.open(source, widths, info.address())
                .require(type(records), records.treeSize(rank)));
      }
      return opened.stream().findFirst();
    };
  }

  public static ChunkBTree2 open(TreeIndex index, Widths widths, ByteSource source) {
    if (index.layout().index() instanceof IndexInfo.BTree2 info) {
      return new ChunkBTree2(index.records(), index.layout().chunk(), info, widths, source);
    }
    throw new IllegalArgumentException("not a version 2 B-tree: layout=" + index.layout());
  }

  private static RecordType type(RecordFormat records) {
    return switch (records.clientId()) {
      case 0 -> RecordType.CHUNK;
      case 1 -> RecordType.CHUNK_FILTERED;
      case 2 -> RecordType.STRUCTURED_CHUNK;
      default -> RecordType.STRUCTURED_CHUNK_FILTERED;
    };
  }

  @Override
  public Optional<ChunkRecord> record(ChunkCoordinates chunk) {
    Optional<ChunkRecord> changed = changes.get(chunk);
    if (changed != null) {
      return changed;
    }
    return stored
        .get()
        .flatMap(tree -> tree.find(order(chunk)))
        .map(bytes -> decode(bytes).record());
  }

  @Override
  public void update(ChunkCoordinates chunk, Optional<ChunkRecord> record) {
    changes.put(chunk, record);
  }

  /** A chunk and its record. */
  private record Entry(ChunkCoordinates chunk, ChunkRecord record) {}

  private Entry decode(MemorySegment bytes) {
    long[] scaled = new long[rank];
    ByteReader in = ByteReader.of(bytes, "chunk record");
    ChunkRecord record = records.decode(in, scaled);
    for (int i = 0; i < rank; i++) {
      long size = chunk.extent(i);
      if (scaled[i] > (Long.MAX_VALUE - size) / size) {
        throw in.fault("chunk coordinate " + i, "of elements below 2^63", scaled[i] + " * " + size);
      }
    }
    return new Entry(ChunkCoordinates.of(scaled), record);
  }

  private MemorySegment encode(ChunkCoordinates chunk, ChunkRecord record) {
    ByteWriter out = ByteWriter.create();
    records.encode(out, record, chunk);
    return out.written();
  }

  private RecordOrder order(ChunkCoordinates chunk) {
    return record -> decode(record).chunk().compareTo(chunk);
  }

  @Override
  public TreeChange change() {
    // Only the amount of new space matters here, so it may begin at any address beyond the
    // existing data.
    long start = source.size() + 1;
    SpaceAllocator scratch = SpaceAllocator.startingAt(start);
    edited().commit(scratch);
    return new TreeChange(scratch.endOfFile() - start, scratch.pendingFrees());
  }

  @Override
  public List<BlockImage> encode(TreeCommit commit) {
    long end = Math.max(source.size() + 1, commit.space().map(Block::end).orElse(0L));
    SpaceAllocator given = SpaceAllocator.startingAt(end);
    commit.space().ifPresent(given::free);
    given.commitFrees();
    return edited().commit(given);
  }

  private BTree2Editor edited() {
    Optional<BTree2> before = stored.get();
    if (before.isEmpty()) {
      return BTree2Editor.build(parameters(), widths, sorted());
    }
    BTree2Editor editor = BTree2Editor.open(before.get());
    for (Map.Entry<ChunkCoordinates, Optional<ChunkRecord>> change : changes.entrySet()) {
      apply(editor, change.getKey(), change.getValue());
    }
    return editor;
  }

  private void apply(BTree2Editor editor, ChunkCoordinates chunk, Optional<ChunkRecord> record) {
    RecordOrder place = order(chunk);
    if (record.isEmpty()) {
      editor.delete(place);
    } else if (editor.find(place).isPresent()) {
      editor.replace(encode(chunk, record.get()), place);
    } else {
      editor.insert(encode(chunk, record.get()), place);
    }
  }

  private List<MemorySegment> sorted() {
    List<MemorySegment> sorted = new ArrayList<>();
    changes.forEach((chunk, record) -> record.ifPresent(r -> sorted.add(encode(chunk, r))));
    return sorted;
  }

  private BTree2Parameters parameters() {
    return new BTree2Parameters(
        type(records),
        info.nodeSize(),
        records.treeSize(rank),
        info.splitPercent(),
        info.mergePercent());
  }

  @Override
  public ChunkTree committed(TreeCommit commit) {
    return open(commit.index(), widths, source);
  }

  @Override
  public void forEach(
      ChunkCoordinates first,
      ChunkCoordinates last,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    TreeMap<ChunkCoordinates, ChunkRecord> all = new TreeMap<>();
    stored.get().ifPresent(tree -> forEachStored(tree.from(order(first)), last, all::put));
    changes
        .subMap(first, true, last, true)
        .forEach((chunk, record) ->
            record.ifPresentOrElse(r -> all.put(chunk, r), () -> all.remove(chunk)));
    all.forEach(visitor);
  }

  @Override
  public void forEachStored(RecordVisitor visitor) {
    long[] most = new long[rank];
    Arrays.fill(most, Long.MAX_VALUE);
    ChunkCoordinates last = ChunkCoordinates.of(most);
    stored
        .get()
        .ifPresent(tree ->
            forEachStored(
                tree.iterator(), last, (chunk, record) -> visitor.visit(chunk.scaled(), record)));
  }

  /** Visits the records up to and including that of the chunk {@code end}. */
  private void forEachStored(
      Iterator<MemorySegment> stored,
      ChunkCoordinates end,
      BiConsumer<ChunkCoordinates, ChunkRecord> visitor) {
    Optional<ChunkCoordinates> last = Optional.empty();
    while (stored.hasNext()) {
      Entry entry = decode(stored.next());
      if (last.isPresent() && entry.chunk().compareTo(last.get()) <= 0) {
        throw new FormatException("chunk in a B-tree", "after " + last.get(), entry.chunk());
      }
      last = Optional.of(entry.chunk());
      if (entry.chunk().compareTo(end) > 0) {
        return;
      }
      visitor.accept(entry.chunk(), entry.record());
    }
  }

  @Override
  public List<Block> storedBlocks() {
    return stored.get().map(BTree2::blocks).orElse(List.of()).stream().sorted().toList();
  }
}
