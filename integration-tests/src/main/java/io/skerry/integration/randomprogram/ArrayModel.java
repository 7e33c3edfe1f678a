package io.skerry.integration.randomprogram;

import io.skerry.integration.random.BoxLoops;
import io.skerry.integration.random.PickedElements;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** The expected content of a dataset: a plain array, and the set of its defined elements. */
final class ArrayModel {
  private final DatasetPlan plan;
  private long[] extent;
  private long[] values;
  private BitSet written;

  ArrayModel(DatasetPlan plan) {
    this.plan = plan;
    this.extent = plan.spec().shape().extent();
    this.values = new long[(int) BoxLoops.volume(extent)];
    Arrays.fill(values, plan.fill());
    this.written = new BitSet();
  }

  private ArrayModel(ArrayModel other) {
    this.plan = other.plan;
    this.extent = other.extent.clone();
    this.values = other.values.clone();
    this.written = (BitSet) other.written.clone();
  }

  ArrayModel copy() {
    return new ArrayModel(this);
  }

  DatasetPlan plan() {
    return plan;
  }

  long[] extent() {
    return extent.clone();
  }

  /**
   * Returns the value of an element: the fill value if the element was never written or was erased.
   */
  long value(long element) {
    return values[(int) element];
  }

  boolean isDefined(long element) {
    return !plan.isSparse() || written.get((int) element);
  }

  void set(long element, long value) {
    values[(int) element] = value;
    written.set((int) element);
  }

  void erase(long element) {
    values[(int) element] = plan.fill();
    written.clear((int) element);
  }

  void extend(long[] to) {
    long[] grown = new long[(int) BoxLoops.volume(to)];
    Arrays.fill(grown, plan.fill());
    BitSet grownWritten = new BitSet();
    long[] common = new long[to.length];
    Arrays.setAll(common, d -> Math.min(to[d], extent[d]));
    List<Integer> old = new ArrayList<>();
    BoxLoops.forEach(extent, new long[to.length], common, index -> old.add((int) index));
    int[] at = {0};
    BoxLoops.forEach(
        to,
        new long[to.length],
        common,
        index -> {
          int from = old.get(at[0]++);
          grown[(int) index] = values[from];
          grownWritten.set((int) index, written.get(from));
        });
    extent = to.clone();
    values = grown;
    written = grownWritten;
  }

  /** Returns the set of selected elements that must be defined. */
  BitSet defined(PickedElements pick) {
    BitSet set = new BitSet();
    for (long element : pick.elements()) {
      if (isDefined(element)) {
        set.set((int) element);
      }
    }
    return set;
  }
}
