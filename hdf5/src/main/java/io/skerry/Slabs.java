package io.skerry;

import io.skerry.chunk.space.Box;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Cuts a dataset into selections that follow each other in row-major order and fit into memory:
 * single indexes of the outer dimensions, a range of the next, and all of the inner ones. The range
 * ends at a chunk boundary where it can, so that few chunks are read twice. Local.
 */
public final class Slabs {
  private final Shape shape;
  private final long[] chunk;
  private final long most;

  /**
   * @param chunk shape of a chunk; empty if there are none
   * @param most elements of one selection
   */
  public Slabs(Shape shape, List<Long> chunk, long most) {
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
    while (inner > most) {
      cut++;
      inner /= shape.extent(cut);
    }
    long range = range(cut, inner);
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
    new Slabs(Shape.of(size), sides, most)
        .forEach(part -> visitIfAny(part.shift(offset).intersect(resolved), visitor));
  }

  private static void visitIfAny(Selection part, Consumer<Selection> visitor) {
    if (!part.isEmpty()) {
      visitor.accept(part);
    }
  }

  private long range(int cut, long inner) {
    long range = Math.clamp(most / inner, 1, shape.extent(cut));
    boolean chunked = chunk.length == shape.rank() && chunk[cut] <= range;
    return chunked ? range - range % chunk[cut] : range;
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
