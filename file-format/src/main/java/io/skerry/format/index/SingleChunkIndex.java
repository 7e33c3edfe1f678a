package io.skerry.format.index;

import io.skerry.chunk.SectionTable;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.Block;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.FileAddress;
import io.skerry.format.index.api.ChunkLinearizer;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.GridIndex;
import io.skerry.format.index.api.IndexCommit;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.RecordFormat;
import io.skerry.format.index.api.RecordVisitor;
import io.skerry.format.layout.ChunkIndexKind;
import io.skerry.format.layout.ChunkedLayout;
import io.skerry.format.layout.IndexInfo;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;

/**
 * The index of a dataset that never grows and has a single chunk, whose record is stored in the
 * layout message. The index has one leaf with one slot, and no block in the file. {@link
 * #withRecord} changes the record. Source: HDF5 File Format Specification 3.0, section VII.A, "The
 * Single Chunk Index".
 */
public final class SingleChunkIndex extends GridIndex implements ComputedIndex {
  private static final LeafId LEAF = new LeafId(0);

  private final IndexInfo.Single info;

  SingleChunkIndex(
      ChunkedLayout layout, IndexInfo.Single info, RecordFormat records, ChunkLinearizer grid) {
    super(ChunkIndexKind.SINGLE, layout, records, grid);
    this.info = info;
  }

  /** Returns the record of the chunk; empty if it is not allocated. */
  public Optional<ChunkRecord> chunk() {
    return info.isAllocated()
        ? Optional.of(new ChunkRecord(info.address(), info.sections()))
        : Optional.empty();
  }

  /**
   * Returns this index with the given record in its {@link #layout}. An empty record means that the
   * chunk is not allocated.
   */
  public SingleChunkIndex withRecord(Optional<ChunkRecord> record) {
    IndexInfo.Single changed =
        record
            .map(r -> new IndexInfo.Single(r.address(), records().checked(r.sections())))
            .orElseGet(() -> new IndexInfo.Single(FileAddress.UNDEFINED, cleared()));
    return new SingleChunkIndex(layout().withIndex(changed), changed, records(), grid());
  }

  private SectionTable cleared() {
    SectionTable now = info.sections();
    int offsets = now.offsets().length;
    int masks = now.filterMasks().length;
    return offsets == 0 && masks == 0
        ? now
        : new SectionTable(
            0, new long[offsets], new long[now.unfilteredSizes().length], new int[masks]);
  }

  @Override
  public LeafId leafOf(long position) {
    return LEAF;
  }

  @Override
  public int slot(long position) {
    return 0;
  }

  @Override
  public int slots(LeafId leaf) {
    return 1;
  }

  @Override
  public IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator) {
    return new IndexCommit(this, new TreeMap<>(), List.of());
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    return List.of();
  }

  @Override
  public void forEachRecord(ByteSource source, RecordVisitor visitor) {
    chunk().ifPresent(record -> visitor.visit(grid().scaled(0), record));
  }

  @Override
  public Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled) {
    long unused = grid().position(scaled);
    return chunk();
  }
}
