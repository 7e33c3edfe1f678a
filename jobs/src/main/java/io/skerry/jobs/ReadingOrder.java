package io.skerry.jobs;

import io.skerry.Slabs;
import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.ChunkGrid;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
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
      case ROWS -> lines(shape, 0, elementBytes, visitor);
      case COLUMNS -> lines(shape, shape.rank() - 1, elementBytes, visitor);
      case CHUNKS -> chunks(shape, chunk, visitor);
    }
  }

  /** Across a dimension, which goes round to the front for that. */
  private static void lines(
      Shape shape, int across, long elementBytes, Consumer<Selection> visitor) {
    int rank = shape.rank();
    long[] turned = new long[rank];
    for (int d = 0; d < rank; d++) {
      turned[d] = shape.extent((d + across) % rank);
    }
    Shape front = Shape.of(turned);
    long line = shape.elements() / turned[0];
    new Slabs(front, List.of(), Math.clamp(line, LEAST / elementBytes, MOST / elementBytes))
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

  private static void chunks(Shape shape, List<Long> chunk, Consumer<Selection> visitor) {
    ChunkGrid grid = ChunkGrid.of(chunk.stream().mapToLong(Long::longValue).toArray());
    Shape scaled = Shape.of(grid.scaledExtent(shape));
    new Slabs(scaled, List.of(), 1)
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
