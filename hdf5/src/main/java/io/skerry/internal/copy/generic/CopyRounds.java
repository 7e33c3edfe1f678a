package io.skerry.internal.copy.generic;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.ChunkTable;
import io.skerry.Dataset;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import io.skerry.spi.Connectors;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/**
 * Divides the elements of a dataset into rounds, to limit the memory use of each rank. All ranks
 * have the same number of rounds; a rank without elements in a round receives an empty selection.
 *
 * @param dataset the dataset
 * @param ranks the position of this rank
 */
record CopyRounds(Dataset dataset, Connectors.Position ranks) {
  /** The maximum number of element bytes that a rank keeps in a round, unless a chunk is larger. */
  static final long PART = 16L << 20;

  /** The maximum number of chunks that a rank copies in a round. */
  private static final long MOST_CHUNKS = 1024;

  /**
   * Visits all elements in blocks.
   *
   * @param bytes the memory that an element needs, in bytes
   */
  void blocks(long bytes, Consumer<Selection> visitor) {
    List<Selection> round = new ArrayList<>();
    new ChunkAlignedBlocks(dataset.shape(), dataset.storage().chunk(), PART / bytes)
        .forEach(block -> {
          round.add(block);
          if (round.size() == ranks.of()) {
            visit(round, visitor);
          }
        });
    if (!round.isEmpty()) {
      visit(round, visitor);
    }
  }

  private void visit(List<Selection> round, Consumer<Selection> visitor) {
    Selection mine = ranks.rank() < round.size() ? round.get(ranks.rank()) : Selection.none();
    round.clear();
    visitor.accept(mine);
  }

  /**
   * Visits the stored chunks in groups.
   *
   * @param table the stored chunks
   * @param element the memory that an element needs, in bytes
   * @param visitor a consumer of the offsets of the chunks that this rank copies in a round
   */
  void chunks(ChunkTable table, long element, Consumer<List<long[]>> visitor) {
    long[] numbers = numbers(table);
    long[] chunk = dataset.storage().chunk().stream().mapToLong(Long::longValue).toArray();
    long bytes = element;
    for (long side : chunk) {
      bytes = Math.min(bytes, PART) * Math.min(side, PART);
    }
    int each = Math.toIntExact(Math.clamp(PART / bytes, 1, MOST_CHUNKS));
    long step = (long) each * ranks.of();
    for (long first = 0; first < numbers.length; first += step) {
      List<long[]> mine = new ArrayList<>();
      long begin = first + (long) each * ranks.rank();
      for (long i = begin; i < Math.min(begin + each, numbers.length); i++) {
        mine.add(offset(numbers[(int) i], chunk));
      }
      visitor.accept(mine);
    }
  }

  /** Returns the row-major numbers of the stored chunks in the grid of the extent. */
  private long[] numbers(ChunkTable table) {
    long[] grid = grid();
    List<Long> chunk = dataset.storage().chunk();
    long[][] found = {new long[16]};
    int[] count = {0};
    table.forEachOffset(offset -> {
      if (isInside(offset)) {
        if (count[0] == found[0].length) {
          found[0] = Arrays.copyOf(found[0], 2 * count[0]);
        }
        long number = 0;
        for (int d = 0; d < grid.length; d++) {
          number = number * grid[d] + offset.get(d) / chunk.get(d);
        }
        found[0][count[0]++] = number;
      }
    });
    return Arrays.copyOf(found[0], count[0]);
  }

  /** Returns whether a chunk begins within the extent; in damaged files, some chunks may not. */
  private boolean isInside(List<Long> offset) {
    Shape shape = dataset.shape();
    for (int d = 0; d < shape.rank(); d++) {
      if (offset.get(d) >= shape.extent(d)) {
        return false;
      }
    }
    return true;
  }

  private long[] grid() {
    long[] grid = dataset.shape().extent();
    Arrays.setAll(grid, d -> Math.ceilDiv(grid[d], dataset.storage().chunk().get(d)));
    return grid;
  }

  private long[] offset(long number, long[] chunk) {
    long[] grid = grid();
    long[] offset = new long[grid.length];
    long rest = number;
    for (int d = grid.length - 1; d >= 0; d--) {
      offset[d] = rest % grid[d] * chunk[d];
      rest /= grid[d];
    }
    return offset;
  }
}
