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
 * Cuts a dataset into bands that are visited in row-major order with bounded memory. A band is at
 * least as high as a chunk, so that no chunk is read twice, unless a band of this height would have
 * too many elements or intersect too many chunks. In a sparse dataset that is not virtual, only
 * bands with stored chunks are visited, so that the time does not depend on the extent.
 */
public final class ChunkBands {
  /** The number of elements up to which adjacent rows of chunks are joined into one band. */
  private static final long MIN_ELEMENTS = 1 << 20;

  /** The maximum number of elements in a band. */
  private static final long MAX_ELEMENTS = 1 << 25;

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
   * Visits the intersection of a selection with each band of a dataset of rank 1 or more. Empty
   * intersections are skipped.
   *
   * @param asked a selection other than a point list
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
    // A virtual dataset has no chunks of its own, even if its sources are sparse.
    if (dataset.storage().chunk().isEmpty() || !dataset.isSparse()) {
      ChunkBands bands = new ChunkBands(dataset, resolved, ChunkAlignedBlocks.MOST_CHUNKS, visitor);
      long first = bounds.get().start()[0];
      bands.region(start, 0, first - first % bands.high(0), bounds.get().end()[0]);
      return;
    }
    // Only stored chunks are visited, so the number of chunks per band needs no limit.
    ChunkBands bands = new ChunkBands(dataset, resolved, Long.MAX_VALUE, visitor);
    if (bands.inner(0) <= MAX_ELEMENTS) {
      TreeSet<Long> rows = new TreeSet<>();
      bands.forEachStored(dataset, bounds.get(), offset -> rows.add(offset.getFirst()));
      bands.regions(rows, start, 0);
    } else {
      List<List<Long>> chunks = new ArrayList<>();
      bands.forEachStored(dataset, bounds.get(), chunks::add);
      bands.stored(chunks, start, 0);
    }
  }

  /**
   * Returns the number of defined elements in a selection of a dataset of rank 1 or more. Keeps the
   * locations of only one band in memory at a time.
   *
   * @param asked a selection other than a point list
   */
  public static long defined(Dataset dataset, Selection asked) {
    long[] count = {0};
    forEach(dataset, asked, part -> count[0] += dataset.defined(part).count(dataset.shape()));
    return count[0];
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
   * Visits the bands of stored chunks.
   *
   * @param chunks the offsets of the stored chunks that contain the indices in {@code start}
   * @param start the indices in the dimensions before {@code dimension}
   * @param dimension the dimension that is cut into bands
   */
  private void stored(List<List<Long>> chunks, long[] start, int dimension) {
    TreeSet<Long> rows = new TreeSet<>();
    chunks.forEach(offset -> rows.add(offset.get(dimension)));
    if (inner(dimension) <= MAX_ELEMENTS) {
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

  /**
   * Visits the bands that cover the given rows of chunks. Adjacent rows are joined first.
   *
   * @param rows the offsets of the rows in {@code dimension}
   */
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

  /**
   * Returns the number of elements that have the same indices in the given dimension and in all
   * dimensions before it.
   */
  private long inner(int dimension) {
    long elements = 1;
    for (int d = dimension + 1; d < shape.rank(); d++) {
      elements *= shape.extent(d);
    }
    return elements;
  }

  /**
   * Visits the bands that cover a range of indices in a dimension.
   *
   * @param from the first index, at the beginning of a chunk
   * @param to the end of the range, exclusive
   */
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
        .forEach(block -> {
          Selection part = block.shift(offset).intersect(asked);
          if (!part.isEmpty()) {
            visitor.accept(part);
          }
        });
  }

  private long elements(Shape rows, int dimension) {
    long row = inner(dimension);
    long high = Math.min(high(dimension), rows.extent(dimension));
    return row > MAX_ELEMENTS / high ? MAX_ELEMENTS : Math.max(MIN_ELEMENTS, row * high);
  }
}
