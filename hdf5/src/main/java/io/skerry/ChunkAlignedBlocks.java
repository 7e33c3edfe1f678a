package io.skerry;

import io.skerry.selection.Box;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cuts a dataset into selections that follow each other in row-major order and fit into memory with
 * the chunks that they meet: single indexes of the outer dimensions, a range of the next, and all
 * of the inner ones. The range ends at a chunk boundary where it can, so that few chunks are read
 * twice. Local.
 */
public final class ChunkAlignedBlocks {
  /**
   * Chunks of one selection. A read keeps some hundred bytes for each while it runs, for those that
   * are not stored as well.
   */
  public static final long MOST_CHUNKS = 1 << 16;

  private final Shape shape;
  private final long[] chunk;
  private final long most;
  private final long mostChunks;

  /**
   * @param chunk shape of a chunk; empty if there are none
   * @param most elements of one selection
   */
  public ChunkAlignedBlocks(Shape shape, List<Long> chunk, long most) {
    this(shape, chunk, most, MOST_CHUNKS);
  }

  /**
   * @param chunk shape of a chunk; empty if there are none
   * @param most elements of one selection
   * @param mostChunks chunks that one selection meets
   */
  public ChunkAlignedBlocks(Shape shape, List<Long> chunk, long most, long mostChunks) {
    this.mostChunks = mostChunks;
    this.shape = shape;
    this.chunk = chunk.stream().mapToLong(Long::longValue).toArray();
    this.most = Math.max(1, most);
  }

  /** Visits the selections in order; none if there is no element. */
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
   * Visits the parts of a selection in order. The time goes with the box around the selection, not
   * with the extent, which a file can put at any number.
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

  /** Moves on to the next index of the outer dimensions where a range is through. */
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
