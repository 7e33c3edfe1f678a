package io.skerry.spi;

import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.internal.value.PackedArrays;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * An array for what one read gives.
 *
 * @param <A> {@code int[]} and the like
 */
public final class ArrayTarget<A> implements StoredDataset.ReadTarget {
  private final String path;
  private final int unit;
  private final long valueBytes;
  private final IntFunction<A> array;
  private final Function<A, MemorySegment> segment;
  private Optional<A> made = Optional.empty();

  /**
   * @param path of the dataset, for the error
   * @param unit array elements to one value
   * @param valueBytes bytes of the heap that one value takes, in the array and in what is made of
   *     it
   * @param array makes one of a length
   * @param segment the array as memory
   */
  public ArrayTarget(
      String path,
      int unit,
      long valueBytes,
      IntFunction<A> array,
      Function<A, MemorySegment> segment) {
    this.path = path;
    this.unit = unit;
    this.valueBytes = valueBytes;
    this.array = array;
    this.segment = segment;
  }

  @Override
  public MemorySegment make(long elements) {
    Supplier<String> purpose = () -> purpose(elements);
    MemoryLimit.require(elements, valueBytes, purpose);
    int length = PackedArrays.length(elements, unit, path);
    A values = MemoryLimit.make(elements, valueBytes, purpose, () -> array.apply(length));
    made = Optional.of(values);
    return segment.apply(values);
  }

  private String purpose(long elements) {
    return "an array of "
        + elements
        + " elements of "
        + path
        + ", in place of smaller parts or a read into a MemorySegment";
  }

  /** The array, once the read is done. */
  public A made() {
    return made.orElseThrow();
  }
}
