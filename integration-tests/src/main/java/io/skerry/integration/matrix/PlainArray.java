package io.skerry.integration.matrix;

import io.skerry.integration.matrix.pattern.Picks;
import io.skerry.integration.random.PickedElements;
import java.util.Arrays;
import java.util.BitSet;

/** The expected content of a dataset: the numbers, and the set of elements that were written. */
final class PlainArray {
  private final int width;
  private final long fill;
  private long[] extent;
  private long[] numbers;
  private BitSet written = new BitSet();

  /**
   * Creates the content of a new dataset.
   *
   * @param width the number of values in an element
   * @param fill the value of each number in an unwritten element
   */
  PlainArray(long[] extent, int width, long fill) {
    this.width = width;
    this.fill = fill;
    this.extent = extent.clone();
    this.numbers = filled(extent);
  }

  private long[] filled(long[] of) {
    long[] filled = new long[Math.toIntExact(Picks.volume(of) * width)];
    Arrays.fill(filled, fill);
    return filled;
  }

  long[] extent() {
    return extent.clone();
  }

  int width() {
    return width;
  }

  /** Writes whole elements. */
  void write(PickedElements pick, long[] values) {
    for (int i = 0; i < pick.elements().length; i++) {
      int element = (int) pick.elements()[i];
      System.arraycopy(values, i * width, numbers, element * width, width);
      written.set(element);
    }
  }

  /** Writes one member of each selected element. */
  void writeMember(PickedElements pick, int member, long[] values) {
    for (int i = 0; i < pick.elements().length; i++) {
      int element = (int) pick.elements()[i];
      numbers[element * width + member] = values[i];
      written.set(element);
    }
  }

  /**
   * Changes the extent: elements outside the new extent are removed, and new elements are
   * unwritten.
   */
  void resize(long[] to) {
    long[] next = filled(to);
    BitSet kept = new BitSet();
    for (int element = 0; element < Picks.volume(extent); element++) {
      long[] at = Picks.coordinates(extent, element);
      boolean inside = true;
      for (int d = 0; d < to.length; d++) {
        inside &= at[d] < to[d];
      }
      if (inside) {
        int place = (int) Picks.index(to, at);
        System.arraycopy(numbers, element * width, next, place * width, width);
        kept.set(place, written.get(element));
      }
    }
    extent = to.clone();
    numbers = next;
    written = kept;
  }

  /** Returns the numbers of selected elements, in the order of the selection. */
  long[] numbers(PickedElements pick) {
    long[] selected = new long[pick.elements().length * width];
    for (int i = 0; i < pick.elements().length; i++) {
      System.arraycopy(numbers, (int) pick.elements()[i] * width, selected, i * width, width);
    }
    return selected;
  }

  boolean isWritten(long element) {
    return written.get((int) element);
  }
}
