package io.skerry.jobs.stat;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** An order in which all of a chunked dataset can be read. */
public enum ReadingOrder {
  /** One index of the first dimension after the other. */
  ROWS,
  /** One index of the last dimension after the other. */
  COLUMNS,
  /** One chunk after the other. */
  CHUNKS;

  /** Bytes of a request at least, so that a long column is not read element by element. */
  private static final long LEAST = 16 << 10;

  /** Bytes of a request at most, unless an element or a chunk has more. */
  private static final long MOST = 16 << 20;

  /** As on the command line. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /**
   * Visits the parts in order.
   *
   * @param chunk shape of a chunk
   * @param elementBytes of one element
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

  /** Across a dimension, which goes round to the front for that. */
  private static void lines(
      Shape shape, List<Long> chunk, int across, long elementBytes, Consumer<Selection> visitor) {
    int rank = shape.rank();
    long[] turned = new long[rank];
    for (int d = 0; d < rank; d++) {
      turned[d] = shape.extent((d + across) % rank);
    }
    Shape front = Shape.of(turned);
    long line = shape.elements() / turned[0];
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

  /** As many elements of a line as have chunks for one request. */
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
