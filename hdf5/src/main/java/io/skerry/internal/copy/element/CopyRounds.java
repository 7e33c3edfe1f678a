package io.skerry.internal.copy.element;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.format.header.ObjectHeader;
import io.skerry.internal.dataset.NativeDataset;
import io.skerry.internal.dataset.Storage;
import io.skerry.internal.dataset.open.ChunkedOpener;
import io.skerry.parallel.Operation;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongFunction;

/**
 * Divides the elements of a dataset into rounds, to limit the memory that each rank needs. All
 * ranks have the same number of rounds.
 */
public final class CopyRounds {
  /**
   * The maximum number of bytes of elements that a rank keeps in memory in one round, unless a
   * single chunk or element is larger. {@link StoredChunks} ends a round when the chunks of a rank
   * reach this number.
   */
  static final long PART = 8L << 20;

  /**
   * The maximum number of chunks that one rank copies in one round; limits the cost of computing
   * the union of their boxes.
   */
  private static final long MOST_CHUNKS = 1024;

  private final NativeDataset dataset;
  private final Share share;

  /**
   * The position of a rank among the ranks that share the work.
   *
   * @param rank the number of the rank, from 0
   * @param of the number of ranks
   */
  public record Share(int rank, int of) {
    /** The share of a rank that does all of the work. */
    static final Share EVERYTHING = new Share(0, 1);
  }

  /**
   * A run of elements that are consecutive in row-major order, and that this rank copies in one
   * round.
   *
   * @param selection the elements of the run; an empty selection if this rank has none
   * @param first the number of elements of the dataset before the run; 0 if this rank has none
   * @param elements the number of elements in the run; 0 if this rank has none
   * @param together the number of elements in the runs of all ranks in the round
   */
  public record Run(Selection selection, long first, long elements, long together) {}

  /** The chunks to visit. */
  public enum Coverage {
    /** Chunks that may contain stored elements. */
    STORED,
    /** All chunks. */
    ALL
  }

  public CopyRounds(NativeDataset dataset, Share share) {
    this.dataset = dataset;
    this.share = share;
  }

  /** Visits all elements; in each round, the part of this rank is one run. Local. */
  public void runs(Consumer<Run> visitor) {
    Shape shape = dataset.shape();
    List<Run> round = new ArrayList<>();
    long[] done = {0};
    new ChunkAlignedBlocks(shape, chunkShape(), PART / dataset.datatype().size())
        .forEach(slab -> {
          long elements = slab.count(shape);
          round.add(new Run(slab, done[0], elements, 0));
          done[0] += elements;
          if (round.size() == share.of) {
            visit(round, visitor);
          }
        });
    if (!round.isEmpty()) {
      visit(round, visitor);
    }
  }

  /** Returns the chunk shape; empty if the dataset is not chunked. */
  private List<Long> chunkShape() {
    return dataset.opened() instanceof Storage.Chunked(ChunkedDataset chunks)
        ? Arrays.stream(chunks.format().chunkShape()).boxed().toList()
        : List.of();
  }

  private void visit(List<Run> round, Consumer<Run> visitor) {
    long together = round.stream().mapToLong(Run::elements).sum();
    Run mine =
        share.rank < round.size()
            ? round.get(share.rank)
            : new Run(Selection.none(), 0, 0, together);
    round.clear();
    visitor.accept(new Run(mine.selection, mine.first, mine.elements, together));
  }

  /**
   * Visits the chunks of a grid. Collective if the dataset is chunked and only stored chunks are
   * visited: the ranks agree on whether all of them could read the index.
   *
   * @param coverage the chunks to visit
   * @param visitor a consumer that is called once per round with the elements of the chunks of this
   *     rank; the selection is empty if this rank has none
   */
  public void chunks(ChunkGrid grid, Coverage coverage, Consumer<Selection> visitor) {
    Shape shape = dataset.shape();
    List<ChunkCoordinates> stored = new ArrayList<>();
    long count;
    LongFunction<ChunkCoordinates> point;
    switch (dataset.opened()) {
      case Storage.Chunked _ when coverage == Coverage.STORED -> {
        stored.addAll(together(grid));
        count = stored.size();
        point = i -> stored.get(Math.toIntExact(i));
      }
      case Storage.Contiguous(var address)
          when address.isEmpty() && coverage == Coverage.STORED -> {
        count = 0;
        point = _ -> ChunkCoordinates.of();
      }
      default -> {
        long[] extent = grid.scaledExtent(shape);
        count = Arrays.stream(extent).reduce(1, Math::multiplyExact);
        point = i -> at(i, extent);
      }
    }
    long bytes = Math.max(1, grid.elements()) * dataset.datatype().size();
    long each = Math.clamp(PART / bytes, 1, MOST_CHUNKS);
    for (long first = 0; first < count; first += each * share.of) {
      List<Box> boxes = new ArrayList<>();
      long mine = first + share.rank * each;
      for (long i = mine; i < Math.min(mine + each, count); i++) {
        long[] scaled = point.apply(i).scaled();
        long[] start = grid.origin(scaled);
        long[] end = grid.valid(scaled, shape);
        Arrays.setAll(end, d -> start[d] + end[d]);
        boxes.add(new Box(start, end));
      }
      visitor.accept(Selection.blocks(boxes));
    }
  }

  private static ChunkCoordinates at(long number, long[] extent) {
    long[] scaled = new long[extent.length];
    long rest = number;
    for (int d = extent.length - 1; d >= 0; d--) {
      scaled[d] = rest % extent[d];
      rest /= extent[d];
    }
    return ChunkCoordinates.of(scaled);
  }

  /**
   * Returns the chunks of the grid that intersect stored chunks of the dataset. Every rank reads
   * the index independently; if one rank fails, all ranks fail. Collective.
   */
  private TreeSet<ChunkCoordinates> together(ChunkGrid grid) {
    return dataset
        .file()
        .collective()
        .steps()
        .together(Operation.READ, dataset.path(), "", () -> stored(grid), met -> met);
  }

  /** Returns the chunks of the grid that intersect stored chunks of the dataset. Local. */
  private TreeSet<ChunkCoordinates> stored(ChunkGrid grid) {
    ObjectHeader header = dataset.header();
    ChunkedDataset chunks = ChunkedOpener.unshared(dataset.file(), dataset.location(), header);
    TreeSet<ChunkCoordinates> met = new TreeSet<>();
    chunks
        .index()
        .forEachRecord(
            dataset.file().tree().source(),
            (scaled, _) -> {
              if (chunks.isInside(ChunkCoordinates.of(scaled))) {
                long[] valid = chunks.grid().valid(scaled, chunks.shape());
                addMet(chunks.grid().origin(scaled), valid, grid, met);
              }
            });
    return met;
  }

  private static void addMet(
      long[] origin, long[] size, ChunkGrid grid, TreeSet<ChunkCoordinates> met) {
    long[] first = new long[origin.length];
    long[] last = new long[origin.length];
    for (int d = 0; d < origin.length; d++) {
      first[d] = origin[d] / grid.size(d);
      last[d] = (origin[d] + size[d] - 1) / grid.size(d);
    }
    long[] at = first.clone();
    int d;
    do {
      met.add(ChunkCoordinates.of(at));
      d = at.length - 1;
      while (d >= 0 && at[d] == last[d]) {
        at[d] = first[d];
        d--;
      }
      if (d >= 0) {
        at[d]++;
      }
    } while (d >= 0);
  }
}
