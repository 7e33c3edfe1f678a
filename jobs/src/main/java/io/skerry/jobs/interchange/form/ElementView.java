package io.skerry.jobs.interchange.form;

import io.skerry.Dataset;
import io.skerry.jobs.file.ChunkBands;
import io.skerry.selection.Hyperslab;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * A view of a hyperslab of a dataset as a separate array, whose defined elements can be visited.
 * Coordinates count from 0 within the hyperslab; dimensions with a single index may be dropped.
 *
 * @param dataset the dataset
 * @param pattern the hyperslab, with blocks of one element
 * @param kept the dimensions of the dataset that are dimensions of the array; in every other
 *     dimension, the hyperslab has a single index
 * @param count the number of defined elements
 * @param progress the consumer of the size in bytes of each batch of values that is visited
 */
public record ElementView(
    Dataset dataset, Hyperslab pattern, List<Integer> kept, long count, LongConsumer progress) {
  /**
   * Creates a view of a hyperslab.
   *
   * @throws IllegalArgumentException if the blocks of the hyperslab have more than one element
   */
  public ElementView {
    for (int d = 0; d < pattern.dimensions(); d++) {
      if (pattern.blockAt(d) != 1) {
        throw new IllegalArgumentException("blocks of one element are expected: " + pattern);
      }
    }
    kept = List.copyOf(kept);
  }

  /** Returns the extent of the array. */
  public long[] extent() {
    return kept.stream().mapToLong(pattern::countAt).toArray();
  }

  /** Returns the number of elements of the array, defined or not. */
  public long elements() {
    return Shape.of(extent()).elements();
  }

  /** Creates a view and counts its defined elements. */
  public static ElementView of(Dataset dataset, Hyperslab pattern, List<Integer> kept) {
    return new ElementView(dataset, pattern, kept, ChunkBands.defined(dataset, pattern), _ -> {});
  }

  /**
   * Returns a copy of the view that reports the size in bytes of each batch of visited values to a
   * consumer.
   */
  public ElementView watchedBy(LongConsumer watcher) {
    return new ElementView(dataset, pattern, kept, count, watcher);
  }

  /** Visits the defined elements in row-major order. */
  public void forEach(ElementSink sink) {
    ChunkBands.forEach(dataset, pattern, part -> visit(part, sink));
  }

  /**
   * Visits the defined elements within a range of indices along one dimension, in row-major order.
   *
   * @param dimension the dimension of the array
   * @param from the first index
   * @param to the end of the range, exclusive
   */
  void forEach(int dimension, long from, long to, ElementSink sink) {
    int d = kept.get(dimension);
    long[] start = new long[pattern.dimensions()];
    long[] count = new long[start.length];
    long[] stride = new long[start.length];
    for (int i = 0; i < start.length; i++) {
      start[i] = pattern.startAt(i);
      stride[i] = pattern.strideAt(i);
      count[i] = pattern.countAt(i);
    }
    start[d] += from * stride[d];
    count[d] = to - from;
    Selection part = Selection.at(start).stride(stride).count(count);
    ChunkBands.forEach(dataset, part, band -> visit(band, sink));
  }

  private void visit(Selection part, ElementSink sink) {
    Selection defined = dataset.defined(part);
    Shape shape = dataset.shape();
    long total = defined.count(shape);
    if (total == 0) {
      return;
    }
    int size = dataset.datatype().size();
    MemorySegment values = values(defined, total * size);
    int rank = kept.size();
    long[] batch = new long[(int) Math.min(Entries.MOST, total) * rank];
    long[] at = {0, 0};
    defined.forEachRun(
        shape,
        (start, length) -> {
          int last = start.length - 1;
          long[] place = start.clone();
          for (long i = 0; i < length; i++) {
            place[last] = start[last] + i;
            put(place, batch, (int) at[0]);
            at[0] += rank;
            if (at[0] == batch.length) {
              at[1] = emit(batch, values, at[1], size, sink);
              at[0] = 0;
            }
          }
        });
    if (at[0] > 0) {
      emit(Arrays.copyOf(batch, (int) at[0]), values, at[1], size, sink);
    }
  }

  private MemorySegment values(Selection defined, long bytes) {
    if (bytes > Integer.MAX_VALUE - 8) {
      throw new IllegalStateException(
          "too many elements in a band of chunks for one array: bytes=" + bytes);
    }
    MemorySegment values = MemorySegment.ofArray(new byte[(int) bytes]);
    dataset.read(defined, dataset.datatype(), values);
    return values;
  }

  private void put(long[] place, long[] batch, int at) {
    for (int k = 0; k < kept.size(); k++) {
      int d = kept.get(k);
      batch[at + k] = (place[d] - pattern.startAt(d)) / pattern.strideAt(d);
    }
  }

  private long emit(long[] batch, MemorySegment values, long at, int size, ElementSink sink) {
    long bytes = (long) (batch.length / kept.size()) * size;
    sink.accept(new Entries(kept.size(), batch, values.asSlice(at, bytes)));
    progress.accept(bytes);
    return at + bytes;
  }
}
