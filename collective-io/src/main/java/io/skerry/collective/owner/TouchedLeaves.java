package io.skerry.collective.owner;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.collective.ChunkedDataset;
import io.skerry.format.index.ChunkIndexKind;
import io.skerry.format.index.ChunkRecord;
import io.skerry.format.index.LeafId;
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

    /** Leaves with changed records. */
    public SortedSet<LeafId> leaves() {
      return leaves;
    }

    /** One past the greatest element that was set on any rank; 0 if none. */
    public long positionsUsed() {
      return positionsUsed;
    }

    /** The record of a dataset of one chunk. */
    public Optional<ChunkRecord> single() {
      return single;
    }
  }

  /** Puts together what {@link Directory#announceTouched} said on each rank. */
  public TouchedLeaves(List<ByteReader> letters, LongFunction<ChunkedDataset> datasetOf) {
    for (ByteReader letter : letters) {
      while (letter.remaining() > 0) {
        long id = letter.i64();
        Changes changes = datasets.computeIfAbsent(id, k -> new Changes());
        changes.leaves.add(new LeafId(letter.i64()));
        changes.positionsUsed = Math.max(changes.positionsUsed, letter.i64());
        if (datasetOf.apply(id).index().kind() == ChunkIndexKind.SINGLE) {
          changes.single = RecordLetter.read(letter);
        }
      }
    }
  }

  /** The changes by dataset. */
  public Map<Long, Changes> datasets() {
    return datasets;
  }
}
