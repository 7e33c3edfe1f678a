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
 * What every rank must know of a flush to give the index the same new spine: which leaves have
 * changed records, and how far elements are used. Its size is that of the touched index blocks, not
 * of the chunks; the one record it may hold is that of a dataset with a single chunk, which stands
 * in the layout message and so on every rank.
 */
public final class TouchedLeaves {
  private final Map<Long, Changes> datasets = new TreeMap<>(Long::compareUnsigned);

  /** The changes of one dataset. */
  public static final class Changes {
    private final TreeSet<LeafId> leaves = new TreeSet<>();
    private long positionsUsed;
    private Optional<ChunkRecord> single = Optional.empty();
    private Optional<TreeChange> tree = Optional.empty();

    /** Leaves with changed records. */
    public SortedSet<LeafId> leaves() {
      return leaves;
    }

    /** One past the greatest element that was set on any rank; 0 if none. */
    public long positionsUsed() {
      return positionsUsed;
    }

    /** What the home of a tree asks for; present for a tree. */
    public Optional<TreeChange> tree() {
      return tree;
    }

    /** The record of a dataset of one chunk. */
    public Optional<ChunkRecord> single() {
      return single;
    }
  }

  /** Puts together what {@link ChunkDirectory#announceTouched} said on each rank. */
  public TouchedLeaves(Iterable<ByteReader> letters, LongFunction<ChunkedDataset> datasetOf) {
    for (ByteReader letter : letters) {
      while (letter.remaining() > 0) {
        long id = letter.i64();
        Changes changes = datasets.computeIfAbsent(id, k -> new Changes());
        changes.leaves.add(new LeafId(letter.i64()));
        changes.positionsUsed = Math.max(changes.positionsUsed, letter.i64());
        switch (datasetOf.apply(id).index()) {
          case SingleChunkIndex _ -> changes.single = RecordMessage.read(letter);
          case TreeIndex _ -> changes.tree = Optional.of(readChange(letter));
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

  /** The changes by dataset. */
  public Map<Long, Changes> datasets() {
    return datasets;
  }
}
