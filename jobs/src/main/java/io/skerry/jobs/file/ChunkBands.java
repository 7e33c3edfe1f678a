package io.skerry.jobs.file;

import io.skerry.ChunkAlignedBlocks;
import io.skerry.Dataset;
import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * The bands in which a dataset is visited in row-major order with flat memory: as high as a chunk,
 * so that every chunk is opened once, unless such a band has very many elements. Of a sparse
 * dataset only bands with stored chunks are visited, so that the time does not depend on the
 * extent.
 */
public final class ChunkBands {
  private static final long LEAST = 1 << 20;
  private static final long MOST = 1 << 25;

  private final Shape shape;
  private final List<Long> chunk;
  private final Selection asked;
  private final long mostChunks;
  private final Consumer<Selection> visitor;

  private ChunkBands(
      Dataset dataset, Selection asked, long mostChunks, Consumer<Selection> visitor) {
    this.shape = dataset.shape();
    this.chunk = dataset.storage().chunk();
    this.asked = asked;
    this.mostChunks = mostChunks;
    this.visitor = visitor;
  }

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
    long[] start = new long[shape.rank()];
    if (!dataset.isSparse()) {
      ChunkBands bands = new ChunkBands(dataset, resolved, ChunkAlignedBlocks.MOST_CHUNKS, visitor);
      long first = bounds.get().start()[0];
      bands.region(start, 0, first - first % bands.high(0), bounds.get().end()[0]);
      return;
    }
    // Chunks that are not stored cost nothing here.
    ChunkBands bands = new ChunkBands(dataset, resolved, Long.MAX_VALUE, visitor);
    if (bands.inner(0) <= MOST) {
      TreeSet<Long> rows = new TreeSet<>();
      bands.forEachStored(dataset, bounds.get(), offset -> rows.add(offset.getFirst()));
      bands.regions(rows, start, 0);
    } else {
      List<List<Long>> chunks = new ArrayList<>();
      bands.forEachStored(dataset, bounds.get(), chunks::add);
      bands.stored(chunks, start, 0);
    }
  }

  private void forEachStored(Dataset dataset, Box bounds, Consumer<List<Long>> offsets) {
    dataset
        .chunks()
        .forEach(info -> {
          if (meets(info.offset(), bounds)) {
            offsets.accept(info.offset());
          }
        });
  }

  private static Selection everything(Shape shape) {
    return Selection.box(new long[shape.rank()], shape.extent());
  }

  private long high(int dimension) {
    return chunk.isEmpty() ? 1 : chunk.get(dimension);
  }

  private boolean meets(List<Long> offset, Box bounds) {
    for (int d = 0; d < offset.size(); d++) {
      if (offset.get(d) >= bounds.end(d) || offset.get(d) + high(d) <= bounds.start(d)) {
        return false;
      }
    }
    return true;
  }

  /**
   * The bands of stored chunks.
   *
   * @param chunks offsets of those that have the indexes in question
   * @param start single indexes of the dimensions before
   * @param dimension the one that is cut
   */
  private void stored(List<List<Long>> chunks, long[] start, int dimension) {
    TreeSet<Long> rows = new TreeSet<>();
    chunks.forEach(offset -> rows.add(offset.get(dimension)));
    if (inner(dimension) <= MOST) {
      regions(rows, start, dimension);
      return;
    }
    for (long row : rows) {
      List<List<Long>> inRow =
          chunks.stream().filter(offset -> offset.get(dimension) == row).toList();
      long end = Math.min(row + high(dimension), shape.extent(dimension));
      for (long index = row; index < end; index++) {
        long[] inside = start.clone();
        inside[dimension] = index;
        stored(inRow, inside, dimension + 1);
      }
    }
  }

  /** The bands of rows of chunks, of which consecutive ones are joined. */
  private void regions(TreeSet<Long> rows, long[] start, int dimension) {
    long begin = 0;
    long end = 0;
    for (long row : rows) {
      if (row != end) {
        region(start, dimension, begin, end);
        begin = row;
      }
      end = row + high(dimension);
    }
    region(start, dimension, begin, end);
  }

  /** Elements of one index of a dimension. */
  private long inner(int dimension) {
    long elements = 1;
    for (int d = dimension + 1; d < shape.rank(); d++) {
      elements *= shape.extent(d);
    }
    return elements;
  }

  /** The bands of consecutive indexes of a dimension, of which the first begins with a chunk. */
  private void region(long[] start, int dimension, long from, long to) {
    if (from >= to) {
      return;
    }
    long[] offset = start.clone();
    offset[dimension] = from;
    long[] extent = shape.extent();
    for (int d = 0; d < dimension; d++) {
      extent[d] = 1;
    }
    extent[dimension] = Math.min(to, extent[dimension]) - from;
    Shape rows = Shape.of(extent);
    new ChunkAlignedBlocks(rows, chunk, elements(rows, dimension), mostChunks)
        .forEach(slab -> {
          Selection part = slab.shift(offset).intersect(asked);
          if (!part.isEmpty()) {
            visitor.accept(part);
          }
        });
  }

  private long elements(Shape rows, int dimension) {
    long row = inner(dimension);
    long high = Math.min(high(dimension), rows.extent(dimension));
    return row > MOST / high ? MOST : Math.max(LEAST, row * high);
  }
}
