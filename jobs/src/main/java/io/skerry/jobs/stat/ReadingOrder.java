package io.skerry.jobs.stat;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** An order in which an entire chunked dataset can be read. */
public enum ReadingOrder {
  /** By row: one index of the first dimension after another. */
  ROWS,
  /** By column: one index of the last dimension after another. */
  COLUMNS,
  /** By chunk: one chunk after another. */
  CHUNKS;

  /**
   * The size in bytes up to which short rows or columns are combined into one request. Without it,
   * a dataset with a single column would be read one element at a time.
   */
  private static final long LEAST = 16 << 10;

  /** The maximum size of a request in bytes, unless an element or a chunk is larger. */
  private static final long MOST = 16 << 20;

  /** Returns the name that is used on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Visits the selections of the requests in order.
   *
   * @param shape the shape of the dataset
   * @param chunk the chunk shape
   * @param elementBytes the size of an element in bytes
   * @param visitor the consumer of the selections
   */
  void forEach(Shape shape, List<Long> chunk, long elementBytes, Consumer<Selection> visitor) {
    if (shape.elements() == 0) {
      return;
    }
    switch (this) {
      case ROWS -> lines(shape, chunk, 0, elementBytes, visitor);
      case COLUMNS -> lines(shape, chunk, shape.rank() - 1, elementBytes, visitor);
      case CHUNKS -> chunks(shape, chunk, visitor);
    }
  }

  /**
   * Visits the selections for each index of one dimension in turn. The dimensions are rotated so
   * that this dimension is the first.
   *
   * @param across the dimension whose indices are visited in turn
   */
  private static void lines(
      Shape shape, List<Long> chunk, int across, long elementBytes, Consumer<Selection> visitor) {
    int rank = shape.rank();
    long[] rotated = new long[rank];
    for (int d = 0; d < rank; d++) {
      rotated[d] = shape.extent((d + across) % rank);
    }
    Shape front = Shape.of(rotated);
    long line = shape.elements() / rotated[0];
    long most = Math.clamp(line, LEAST / elementBytes, MOST / elementBytes);
    new ChunkAlignedBlocks(
            front, List.of(), Math.min(most, inFewChunks(line, shape, chunk, across)))
        .forEach(part -> {
          Box box = part.boundingBox(front).orElseThrow();
          long[] start = new long[rank];
          long[] size = new long[rank];
          for (int d = 0; d < rank; d++) {
            start[(d + across) % rank] = box.start(d);
            size[(d + across) % rank] = box.end(d) - box.start(d);
          }
          visitor.accept(Selection.at(start).extent(size));
        });
  }

  /**
   * Returns a limit on the number of elements in a request, so that a request covers at most about
   * {@link ChunkAlignedBlocks#MOST_CHUNKS} chunks; {@link Long#MAX_VALUE} if no limit is necessary.
   */
  private static long inFewChunks(long line, Shape shape, List<Long> chunk, int across) {
    long chunks = 1;
    for (int d = 0; d < shape.rank(); d++) {
      chunks *= d == across ? 1 : Math.ceilDiv(shape.extent(d), chunk.get(d));
    }
    return chunks <= ChunkAlignedBlocks.MOST_CHUNKS
        ? Long.MAX_VALUE
        : Math.max(1, line / Math.ceilDiv(chunks, ChunkAlignedBlocks.MOST_CHUNKS));
  }

  private static void chunks(Shape shape, List<Long> chunk, Consumer<Selection> visitor) {
    ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
    Shape scaled = Shape.of(grid.scaledExtent(shape));
    new ChunkAlignedBlocks(scaled, List.of(), 1)
        .forEach(one -> {
          Box box = one.boundingBox(scaled).orElseThrow();
          long[] at = new long[shape.rank()];
          for (int d = 0; d < at.length; d++) {
            at[d] = box.start(d);
          }
          long[] origin = grid.origin(at);
          visitor.accept(Selection.at(origin).extent(grid.valid(at, shape)));
        });
  }
}
