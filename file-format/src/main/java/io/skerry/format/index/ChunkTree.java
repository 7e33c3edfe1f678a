package io.skerry.format.index;

import io.skerry.chunk.space.GridPoint;
import io.skerry.format.Block;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * All records of a chunk B-tree, as its home rank holds them, and the space that the tree takes on
 * disk. Mutable, for one thread; not a view: {@link TreeIndex} reads and writes it.
 */
public final class ChunkTree {
  private final TreeMap<GridPoint, ChunkRecord> records;
  private final List<Block> stored;

  /**
   * @param records by chunk; taken over
   * @param stored the nodes on disk that the next commit replaces
   */
  ChunkTree(TreeMap<GridPoint, ChunkRecord> records, List<Block> stored) {
    this.records = records;
    this.stored = List.copyOf(stored);
  }

  /** Where a chunk is. */
  public Optional<ChunkRecord> record(GridPoint chunk) {
    return Optional.ofNullable(records.get(chunk));
  }

  /** Sets a chunk's record, or removes it. */
  public void update(GridPoint chunk, Optional<ChunkRecord> record) {
    record.ifPresentOrElse(r -> records.put(chunk, r), () -> records.remove(chunk));
  }

  /** Number of records. */
  public int size() {
    return records.size();
  }

  /** Visits all records in row-major order of the chunks. */
  public void forEach(BiConsumer<GridPoint, ChunkRecord> visitor) {
    records.forEach(visitor);
  }

  /** The nodes on disk that the next commit replaces. */
  public List<Block> stored() {
    return stored;
  }

  TreeMap<GridPoint, ChunkRecord> records() {
    return records;
  }
}
