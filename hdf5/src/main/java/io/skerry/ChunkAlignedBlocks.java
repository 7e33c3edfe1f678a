package io.skerry;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Divides a dataset into selections that follow each other in row-major order. The number of
 * elements in each selection and the number of chunks that it intersects are limited, so that the
 * values of a selection fit into memory: a selection consists of a single index of each outer
 * dimension, a range of the next dimension, and all indices of the inner dimensions. A range that
 * is at least as long as a chunk ends at a chunk boundary or at the end of the dimension, so that
 * few chunks are read more than once. A chunk shape whose rank differs from that of the dataset is
 * ignored. Immutable.
 */
public final class ChunkAlignedBlocks {
  /**
   * The default limit on the number of chunks that a selection intersects. A read uses a few
   * hundred bytes of memory for each of these chunks, even if the chunk is not stored.
   */
  public static final long MOST_CHUNKS = 1 << 16;

  private final Shape shape;
  private final long[] chunk;
  private final long most;
  private final long mostChunks;

  /**
   * Creates a division in which each selection intersects at most {@link #MOST_CHUNKS} chunks, or
   * twice as many if its range is shorter than a chunk. Local, thread-safe.
   *
   * @param shape the extent of the dataset
   * @param chunk the shape of a chunk in elements, each size at least 1; empty if the dataset is
   *     not chunked
   * @param most the maximum number of elements of one selection; a number below 1 counts as 1
   * @throws IllegalArgumentException if a size of the chunk is below 1
   */
  public ChunkAlignedBlocks(Shape shape, List<Long> chunk, long most) {
    this(shape, chunk, most, MOST_CHUNKS);
  }

  /**
   * Creates a division with the given limits. Local, thread-safe.
   *
   * @param shape the extent of the dataset
   * @param chunk the shape of a chunk in elements, each size at least 1; empty if the dataset is
   *     not chunked
   * @param most the maximum number of elements of one selection; a number below 1 counts as 1
   * @param mostChunks the maximum number of chunks that one selection intersects; a selection whose
   *     range is shorter than a chunk may intersect twice as many; a number below 1 counts as 1
   * @throws IllegalArgumentException if a size of the chunk is below 1
   */
  public ChunkAlignedBlocks(Shape shape, List<Long> chunk, long most, long mostChunks) {
    if (chunk.stream().anyMatch(size -> size < 1)) {
      throw new IllegalArgumentException("a chunk needs at least 1 element: chunk=" + chunk);
    }
    this.mostChunks = Math.max(1, mostChunks);
    this.shape = Objects.requireNonNull(shape);
    this.chunk = chunk.stream().mapToLong(Long::longValue).toArray();
    this.most = Math.max(1, most);
  }

  /**
   * Visits the selections in row-major order; an exception thrown by the visitor ends the visit.
   * Local, thread-safe.
   *
   * @param visitor a consumer of each selection; not called if a dimension has size 0
   * @throws ArithmeticException if the dataset has more than 2^63 - 1 elements
   */
  public void forEach(Consumer<Selection> visitor) {
    if (shape.rank() == 0) {
      visitor.accept(Selection.all());
      return;
    }
    if (shape.elements() == 0) {
      return;
    }
    int cut = 0;
    long inner = shape.elements() / shape.extent(0);
    long innerChunks = innerChunks();
    while (inner > most || innerChunks > mostChunks) {
      cut++;
      inner /= shape.extent(cut);
      innerChunks /= chunksAlong(cut);
    }
    long range = range(cut, inner, innerChunks);
    long[] start = new long[shape.rank()];
    do {
      long[] size = shape.extent();
      for (int d = 0; d < cut; d++) {
        size[d] = 1;
      }
      size[cut] = Math.min(range - start[cut] % range, shape.extent(cut) - start[cut]);
      visitor.accept(Selection.at(start).extent(size));
      start[cut] += size[cut];
    } while (carry(start, cut));
  }

  /**
   * Visits the parts of a selection in row-major order. The running time depends on the size of the
   * bounding box of the selection, not on the size of the dataset. An exception thrown by the
   * visitor ends the visit. Local, thread-safe.
   *
   * @param asked the selection to divide, within the extent
   * @param visitor a consumer of each part that is not empty
   * @throws IllegalArgumentException if the rank of the selection differs from that of the dataset
   * @throws ArithmeticException if the bounding box, extended back to the beginning of its first
   *     chunk, has more than 2^63 - 1 elements
   * @throws OutOfMemoryError if the heap is too small for the blocks of the selection
   */
  public void forEach(Selection asked, Consumer<Selection> visitor) {
    if (shape.rank() == 0) {
      forEach(part -> visitIfAny(part.intersect(asked), visitor));
      return;
    }
    Selection resolved = asked.resolve(shape);
    Optional<Box> around = resolved.boundingBox(shape);
    if (around.isEmpty()) {
      return;
    }
    long[] offset = around.get().start();
    long[] size = new long[offset.length];
    for (int d = 0; d < offset.length; d++) {
      long side = chunk.length == offset.length ? chunk[d] : 1;
      offset[d] -= offset[d] % side;
      size[d] = around.get().end(d) - offset[d];
    }
    List<Long> sides = Arrays.stream(chunk).boxed().toList();
    new ChunkAlignedBlocks(Shape.of(size), sides, most, mostChunks)
        .forEach(part -> visitIfAny(part.shift(offset).intersect(resolved), visitor));
  }

  private static void visitIfAny(Selection part, Consumer<Selection> visitor) {
    if (!part.isEmpty()) {
      visitor.accept(part);
    }
  }

  private long range(int cut, long inner, long innerChunks) {
    long range = Math.clamp(most / inner, 1, shape.extent(cut));
    if (!isChunked() || chunk[cut] > range) {
      return range;
    }
    long chunks = Math.min(range / chunk[cut], mostChunks / innerChunks);
    return chunks * chunk[cut];
  }

  private boolean isChunked() {
    return chunk.length == shape.rank();
  }

  private long innerChunks() {
    long chunks = 1;
    for (int d = 1; d < shape.rank(); d++) {
      chunks *= chunksAlong(d);
    }
    return chunks;
  }

  private long chunksAlong(int dimension) {
    return isChunked() ? Math.ceilDiv(shape.extent(dimension), chunk[dimension]) : 1;
  }

  /**
   * Advances to the next index of the outer dimensions if a range has reached the end of its
   * dimension.
   *
   * @return false if there are no more selections
   */
  private boolean carry(long[] start, int cut) {
    int d = cut;
    while (start[d] == shape.extent(d)) {
      if (d == 0) {
        return false;
      }
      start[d] = 0;
      d--;
      start[d]++;
    }
    return true;
  }
}
