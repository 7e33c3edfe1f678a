package io.skerry;

import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An array in memory with which a virtual dataset or one of its sources is compared. The values are
 * strings.
 */
final class ModeledArray {
  private final Shape shape;
  private final String[] values;
  private final boolean[] defined;

  /** Creates an array whose elements are undefined and have the fill value. */
  ModeledArray(Shape shape, String fill) {
    this.shape = shape;
    this.values = new String[(int) shape.elements()];
    this.defined = new boolean[values.length];
    Arrays.fill(values, fill);
  }

  Shape shape() {
    return shape;
  }

  /** Returns the row-major indices of selected elements, in the order of the selection. */
  private static List<Integer> indices(Selection selection, Shape shape) {
    List<Integer> indices = new ArrayList<>();
    long[] flat = selection.toCoordinates(shape);
    for (int at = 0; at < flat.length; at += shape.rank()) {
      long index = 0;
      for (int d = 0; d < shape.rank(); d++) {
        index = index * shape.extent(d) + flat[at + d];
      }
      indices.add((int) index);
    }
    return indices;
  }

  /** Sets the values of selected elements, which are then defined. */
  void write(Selection selection, List<String> written) {
    List<Integer> indices = indices(selection, shape);
    for (int i = 0; i < written.size(); i++) {
      values[indices.get(i)] = written.get(i);
      defined[indices.get(i)] = true;
    }
  }

  /** Takes the values of selected elements, defined or not, from elements of a source. */
  void map(Selection virtual, ModeledArray source, Selection from) {
    List<Integer> to = indices(virtual, shape);
    List<Integer> of = indices(from, source.shape);
    for (int i = 0; i < to.size(); i++) {
      values[to.get(i)] = source.values[of.get(i)];
      defined[to.get(i)] = source.defined[of.get(i)];
    }
  }

  List<String> read(Selection selection) {
    return indices(selection, shape).stream().map(index -> values[index]).toList();
  }

  /** Returns the row-major indices of the defined elements of a selection, in its order. */
  List<Integer> defined(Selection selection) {
    return indices(selection, shape).stream().filter(index -> defined[index]).toList();
  }

  /** Returns the row-major indices of the elements of a selection, in its order. */
  List<Integer> found(Selection selection) {
    return indices(selection, shape);
  }
}
