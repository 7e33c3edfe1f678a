package io.skerry.spi;

import java.lang.foreign.MemorySegment;
import java.util.function.Function;
import java.util.function.IntFunction;

/**
 * A type of Java array that receives values. Each type has one object, which a target refers to
 * instead of to each function, so that a small read allocates less.
 *
 * @param none an empty array, which a target holds until it has made one
 * @param maker the function that allocates an array of the given length
 * @param memory the function that returns the memory of an array
 * @param <A> the type of the array
 */
record ArrayForm<A>(A none, IntFunction<A> maker, Function<A, MemorySegment> memory) {
  static final ArrayForm<byte[]> BYTES =
      new ArrayForm<>(new byte[0], byte[]::new, MemorySegment::ofArray);
  static final ArrayForm<short[]> SHORTS =
      new ArrayForm<>(new short[0], short[]::new, MemorySegment::ofArray);
  static final ArrayForm<int[]> INTS =
      new ArrayForm<>(new int[0], int[]::new, MemorySegment::ofArray);
  static final ArrayForm<long[]> LONGS =
      new ArrayForm<>(new long[0], long[]::new, MemorySegment::ofArray);
  static final ArrayForm<float[]> FLOATS =
      new ArrayForm<>(new float[0], float[]::new, MemorySegment::ofArray);
  static final ArrayForm<double[]> DOUBLES =
      new ArrayForm<>(new double[0], double[]::new, MemorySegment::ofArray);
}
