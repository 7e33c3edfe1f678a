package io.skerry.collective.owner;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.wire.RecordMessage;
import io.skerry.format.block.Block;
import io.skerry.format.index.SingleChunkIndex;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.format.index.api.LeafId;
import io.skerry.format.index.api.LinearIndex;
import io.skerry.format.index.api.TreeChange;
import io.skerry.format.index.api.TreeIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongFunction;

/**
 * The changes in a flush that every rank needs in order to build the same header and upper blocks
 * of each index: the leaves with changed records, and the number of positions that are used. The
 * size of this information is proportional to the number of touched index blocks, not to the number
 * of chunks. Chunk records are included only for datasets with a single chunk, because the layout
 * message contains the record of that chunk.
 */
public final class TouchedLeaves {
  private final Map<Long, Changes> datasets = new TreeMap<>(Long::compareUnsigned);

  /** The changes of one dataset. */
  public static final class Changes {
    private final TreeSet<LeafId> leaves = new TreeSet<>();
    private long positionsUsed;
    private Optional<ChunkRecord> single = Optional.empty();
    private Optional<TreeChange> tree = Optional.empty();

    /** Returns the leaves with changed records. */
    public SortedSet<LeafId> leaves() {
      return leaves;
    }

    /**
     * Returns one more than the greatest index position at which any rank has set a record; 0 if no
     * rank has set a record.
     */
    public long positionsUsed() {
      return positionsUsed;
    }

    /**
     * Returns the space that the change to a tree index requires and frees; empty for an index of
     * another kind.
     */
    public Optional<TreeChange> tree() {
      return tree;
    }

    /**
     * Returns the chunk record of a dataset with a single chunk. Empty if the chunk is not stored,
     * or if the index is of another kind.
     */
    public Optional<ChunkRecord> single() {
      return single;
    }
  }

  /** Combines the messages that {@link ChunkDirectory#announceTouched} has written on all ranks. */
  public TouchedLeaves(Iterable<ByteReader> messages, LongFunction<ChunkedDataset> datasetOf) {
    for (ByteReader message : messages) {
      while (message.remaining() > 0) {
        long id = message.i64();
        Changes changes = datasets.computeIfAbsent(id, k -> new Changes());
        changes.leaves.add(new LeafId(message.i64()));
        changes.positionsUsed = Math.max(changes.positionsUsed, message.i64());
        switch (datasetOf.apply(id).index()) {
          case SingleChunkIndex _ -> changes.single = RecordMessage.read(message);
          case TreeIndex _ -> changes.tree = Optional.of(readChange(message));
          case LinearIndex _ -> {}
        }
      }
    }
  }

  /** Appends {@code new bytes u64 | count u32 | freed blocks, address u64 and length u64 each}. */
  static void write(TreeChange change, ByteWriter out) {
    out.u64(change.newBytes()).u32(change.freed().size());
    for (Block block : change.freed()) {
      out.u64(block.address()).u64(block.length());
    }
  }

  private static TreeChange readChange(ByteReader in) {
    long newBytes = in.i64();
    long count = in.u32();
    List<Block> freed = new ArrayList<>();
    for (long i = 0; i < count; i++) {
      freed.add(new Block(in.i64(), in.i64()));
    }
    return new TreeChange(newBytes, freed);
  }

  /** Returns the changes by dataset. */
  public Map<Long, Changes> datasets() {
    return datasets;
  }
}
