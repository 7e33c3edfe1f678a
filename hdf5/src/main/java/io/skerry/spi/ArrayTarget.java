package io.skerry.spi;

import io.skerry.chunk.bytes.MemoryLimit;
import io.skerry.internal.value.PackedArrays;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * Allocates the array that receives the result of one read. Not thread-safe.
 *
 * @param <A> the type of the array, such as {@code int[]}
 */
public final class ArrayTarget<A> implements StoredDataset.ReadTarget {
  private final Supplier<String> path;
  private final int unit;
  private final long valueBytes;
  private final IntFunction<A> array;
  private final Function<A, MemorySegment> segment;
  private Optional<A> made = Optional.empty();

  /**
   * Creates a target for one read. Local; does not fail.
   *
   * @param path a function that returns the path of the dataset, called only for messages because
   *     joining the names of a path takes longer than a small read
   * @param unit the number of array elements per value
   * @param valueBytes the number of heap bytes that one value occupies, in the array and in objects
   *     created from it
   * @param array a function that creates an array of the given length
   * @param segment a function that returns the memory of the array
   */
  public ArrayTarget(
      Supplier<String> path,
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

  /**
   * Allocates the array. Local.
   *
   * @param elements the number of values
   * @return the memory of the array
   * @throws io.skerry.exception.MemoryLimitException if the values need more memory than the
   *     process may use
   * @throws io.skerry.exception.UnsupportedFeatureException if the array would have more elements
   *     than a Java array can have
   */
  @Override
  public MemorySegment make(long elements) {
    MemoryLimit.require(elements, valueBytes, () -> purpose(elements));
    int length = PackedArrays.length(elements, unit, path);
    A values;
    try {
      // MemoryLimit.make serves many callers, so the JVM cannot inline the allocation there.
      values = array.apply(length);
    } catch (OutOfMemoryError e) {
      throw MemoryLimit.exhausted(elements, valueBytes, purpose(elements), e);
    }
    made = Optional.of(values);
    return segment.apply(values);
  }

  private String purpose(long elements) {
    return "an array of "
        + elements
        + " elements of "
        + path.get()
        + ", in place of smaller parts or a read into a MemorySegment";
  }

  /**
   * Returns the array. Local.
   *
   * @return the array that was allocated
   * @throws java.util.NoSuchElementException if {@link #make} was not called or failed
   */
  public A made() {
    return made.orElseThrow();
  }
}
