package io.skerry.jobs.interchange.form;

import io.skerry.Dataset;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Writes a one-dimensional dataset sequentially from its beginning. */
final class Appender {
  private static final int BUFFER = 1 << 16;

  private final Dataset dataset;
  private final long[] buffer = new long[BUFFER];
  private int buffered;
  private long position;

  Appender(Dataset dataset) {
    this.dataset = dataset;
  }

  /** Appends elements in the datatype of the dataset. */
  void append(MemorySegment values) {
    long count = values.byteSize() / dataset.datatype().size();
    if (count > 0) {
      dataset.write(Selection.at(position).extent(count), dataset.datatype(), values);
      position += count;
    }
  }

  /** Appends numbers without buffering them. */
  void append(long[] numbers) {
    if (numbers.length > 0) {
      dataset.write(Selection.at(position).extent(numbers.length), numbers);
      position += numbers.length;
    }
  }

  /** Appends a number, which is buffered until the next {@link #flush} at the latest. */
  void append(long number) {
    buffer[buffered++] = number;
    if (buffered == BUFFER) {
      flush();
    }
  }

  /** Writes the buffered numbers to the dataset. */
  void flush() {
    append(Arrays.copyOf(buffer, buffered));
    buffered = 0;
  }
}
