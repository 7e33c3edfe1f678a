package io.skerry.jobs.interchange;

import io.skerry.Dataset;
import io.skerry.Slabs;
import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * How a dataset is gone through in row-major order with flat memory: in bands that are as high as a
 * chunk, so that every chunk is opened once, unless such a band has very many elements. Where a
 * sparse dataset has no chunk there is no band.
 */
public final class Bands {
  private static final long LEAST = 1 << 20;
  private static final long MOST = 1 << 25;

  private Bands() {}

  /**
   * Visits the parts of a selection that lie in the bands of a dataset with at least one dimension.
   *
   * @param asked a set, not a list of points
   */
  public static void forEach(Dataset dataset, Selection asked, Consumer<Selection> visitor) {
    Shape shape = dataset.shape();
    Selection resolved = asked.resolve(shape);
    Optional<Box> bounds =
        shape.elements() == 0
            ? Optional.empty()
            : resolved.intersect(everything(shape)).boundingBox(shape);
    if (bounds.isEmpty()) {
      return;
    }
    List<Long> chunk = dataset.storage().chunk();
    long high = chunk.isEmpty() ? 1 : chunk.getFirst();
    long from = bounds.get().start()[0] / high * high;
    long to = bounds.get().end()[0];
    if (!dataset.isSparse()) {
      region(shape, chunk, from, to, resolved, visitor);
      return;
    }
    TreeSet<Long> rows = new TreeSet<>();
    dataset.chunks().forEach(info -> rows.add(info.offset().getFirst()));
    long begin = -1;
    long end = -1;
    for (long row : rows.subSet(from, to)) {
      if (row != end) {
        region(shape, chunk, begin, end, resolved, visitor);
        begin = row;
      }
      end = row + high;
    }
    region(shape, chunk, begin, end, resolved, visitor);
  }

  private static Selection everything(Shape shape) {
    return Selection.box(new long[shape.rank()], shape.extent());
  }

  /** The bands of consecutive rows that begin with a chunk. */
  private static void region(
      Shape shape,
      List<Long> chunk,
      long from,
      long to,
      Selection asked,
      Consumer<Selection> visitor) {
    if (from < 0) {
      return;
    }
    long[] extent = shape.extent();
    extent[0] = Math.min(to, extent[0]) - from;
    Shape rows = Shape.of(extent);
    long[] offset = new long[extent.length];
    offset[0] = from;
    new Slabs(rows, chunk, elements(rows, chunk))
        .forEach(slab -> {
          Selection part = slab.shift(offset).intersect(asked);
          if (!part.isEmpty()) {
            visitor.accept(part);
          }
        });
  }

  private static long elements(Shape shape, List<Long> chunk) {
    long row = shape.elements() / shape.extent(0);
    long high = chunk.isEmpty() ? 1 : Math.min(chunk.getFirst(), shape.extent(0));
    return row > MOST / high ? MOST : Math.max(LEAST, row * high);
  }
}
