package io.skerry.format.index;

import io.skerry.chunk.SectionTable;
import io.skerry.exception.FormatException;
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
 * The implicit index: the unfiltered chunks of the maximum extent are stored in one block in
 * row-major order, so their addresses are computed. Either all chunks are allocated or none are; a
 * chunk never moves. There are no leaves on disk; the leaves of this class only distribute the work
 * among the ranks.
 *
 * <p>Source: HDF5 File Format Specification 3.0, section VII.B, "The Implicit Index".
 */
public final class ImplicitIndex extends GridIndex implements ComputedIndex {
  private static final int CHUNKS_PER_LEAF = 1024;

  private final IndexInfo.Implicit info;
  private final long bytes;

  private ImplicitIndex(
      ChunkedLayout layout,
      IndexInfo.Implicit info,
      RecordFormat records,
      ChunkLinearizer grid,
      long bytes) {
    super(ChunkIndexKind.IMPLICIT, layout, records, grid);
    this.info = info;
    this.bytes = bytes;
  }

  static ImplicitIndex create(
      ChunkedLayout layout, IndexInfo.Implicit info, RecordFormat records, ChunkLinearizer grid) {
    if (records.clientId() != 0) {
      throw new FormatException("chunks under an implicit index", "dense, unfiltered", "others");
    }
    long bytes;
    try {
      bytes = Math.multiplyExact(grid.count(), layout.chunkBytes());
    } catch (ArithmeticException e) {
      throw new FormatException(
          "bytes of all chunks", "below 2^63", grid.count() + " times " + layout.chunkBytes());
    }
    return new ImplicitIndex(layout, info, records, grid, bytes);
  }

  /**
   * Returns this index if all its chunks are in a file.
   *
   * @throws FormatException if chunks are beyond the end of the file
   */
  ImplicitIndex within(ByteSource source) {
    if (info.isAllocated() && (info.address() < 0 || bytes > source.size() - info.address())) {
      // A damaged extent may imply any number of chunks, but all allocated chunks must be in the
      // file.
      throw new FormatException(
              "chunks of an implicit index", "inside " + source.size() + " bytes", bytes)
          .atAddress(info.address());
    }
    return this;
  }

  /** Returns the record of a chunk; empty if the chunks are not allocated. */
  public Optional<ChunkRecord> chunk(long position) {
    return info.isAllocated()
        ? Optional.of(
            new ChunkRecord(
                info.address() + position * layout().chunkBytes(),
                SectionTable.plain(layout().chunkBytes())))
        : Optional.empty();
  }

  /** Returns the number of chunks in the maximum extent. */
  public long count() {
    return grid().count();
  }

  @Override
  public LeafId leafOf(long position) {
    return new LeafId(position - position % CHUNKS_PER_LEAF);
  }

  @Override
  public int slot(long position) {
    return (int) (position % CHUNKS_PER_LEAF);
  }

  @Override
  public int slots(LeafId leaf) {
    return (int) Math.min(CHUNKS_PER_LEAF, grid().count() - leaf.first());
  }

  /**
   * {@inheritDoc}
   *
   * <p>The first change allocates space for all chunks, and the caller must then write all of them.
   */
  @Override
  public IndexCommit commit(SortedSet<LeafId> touched, long maxIndexSet, SpaceAllocator allocator) {
    ImplicitIndex after = this;
    if (!touched.isEmpty() && !info.isAllocated()) {
      IndexInfo.Implicit at = new IndexInfo.Implicit(allocator.allocate(bytes));
      after = new ImplicitIndex(layout().withIndex(at), at, records(), grid(), bytes);
    }
    return new IndexCommit(after, new TreeMap<>(), List.of());
  }

  @Override
  public List<Block> blocks(ByteSource source) {
    return FileAddress.isDefined(info.address()) && bytes > 0
        ? List.of(new Block(info.address(), bytes))
        : List.of();
  }

  @Override
  public void forEachRecord(ByteSource source, RecordVisitor visitor) {
    ImplicitIndex checked = within(source);
    for (long position = 0; position < grid().count() && checked.info.isAllocated(); position++) {
      visitor.visit(grid().scaled(position), chunk(position).orElseThrow());
    }
  }

  @Override
  public Optional<ChunkRecord> storedRecord(ByteSource source, long[] scaled) {
    return chunk(position(scaled));
  }
}
