package io.skerry.peers;

import io.skerry.Dataset;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Small reads with Skerry into preallocated memory, as in {@link Libhdf5Boxes}. */
final class SkerryGivenMemory implements BoxReader {
  private final Dataset dataset;
  private final long rows;
  private final long columns;
  private final int[] values;
  private final MemorySegment memory;

  SkerryGivenMemory(Dataset dataset, Boxes boxes) {
    this.dataset = dataset;
    this.rows = boxes.rows();
    this.columns = boxes.columns();
    this.values = new int[boxes.elements()];
    this.memory = MemorySegment.ofArray(values);
  }

  @Override
  public void read(int row, int column) {
    dataset.read(Selection.at(row, column).extent(rows, columns), Datatype.I32, memory);
  }

  @Override
  public long sum() {
    return Arrays.stream(values).asLongStream().sum();
  }
}
