package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures writes of runs of 8 KiB to a sparse chunk of 1 × 1024 × 1024 u16 in memory (memWrite of
 * "RFC: Sparse Chunks", draft of 2018-08-30), in comparison with a plain copy of the bytes of the
 * new chunk version into a new array. Values come from an array or, like those received from
 * another rank, from native memory.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class LongRunsBenchmark {
  private static final int ROW = 1024;

  /** The number of consecutive rows in a run (8 KiB). */
  private static final int TOGETHER = 4;

  /** The number of written runs, each followed by a gap of the same length. */
  @Param({"16", "128"})
  public int runs = 128;

  /** The kind of memory that contains the values. */
  @Param public Memory memory = Memory.ARRAY;

  private final SparseChunkFormat format =
      SparseChunkFormat.of(new long[] {1, ROW, ROW}, Datatype.U16);
  private RunSet elements = RunSet.empty();
  private MemorySegment packed = MemorySegment.NULL;
  private MemorySegment larger = MemorySegment.NULL;
  private MemoryChunk empty = format.newChunk();
  private MemoryChunk same = empty;
  private MemoryChunk between = empty;

  /** The kind of memory that contains the values to be written. */
  public enum Memory {
    ARRAY,
    NATIVE;

    MemorySegment random(long bytes) {
      byte[] values = new byte[Math.toIntExact(bytes)];
      new Random(bytes).nextBytes(values);
      MemorySegment array = MemorySegment.ofArray(values);
      return switch (this) {
        case ARRAY -> array;
        case NATIVE -> Arena.ofAuto().allocate(bytes, 8).copyFrom(array);
      };
    }
  }

  /** Creates the elements, the values and the initial chunks. */
  @Setup
  public void prepare() {
    elements = rows(0, TOGETHER);
    packed = memory.random(elements.count() * 2);
    RunSet others = rows(TOGETHER + 1, TOGETHER / 2);
    MemorySegment otherValues = Memory.ARRAY.random(others.count() * 2);
    larger = memory.random(packed.byteSize() + otherValues.byteSize());
    empty = format.newChunk();
    same = format.write(empty, elements, packed);
    between = format.write(empty, others, otherValues);
  }

  private RunSet rows(int first, int count) {
    RunSet.Builder rows = new RunSet.Builder();
    for (int run = 0; run < runs; run++) {
      long start = (2L * TOGETHER * run + first) * ROW;
      rows.add(start, start + (long) count * ROW);
    }
    return rows.build();
  }

  /** Writes to a chunk without defined elements. */
  @Benchmark
  public MemoryChunk writeFirst() {
    return format.write(empty, elements, packed);
  }

  /** Overwrites the same elements. */
  @Benchmark
  public MemoryChunk writeSame() {
    return format.write(same, elements, packed);
  }

  /**
   * Writes to a chunk in which other rows between the runs are defined, half as many as the written
   * rows.
   */
  @Benchmark
  public MemoryChunk writeBetween() {
    return format.write(between, elements, packed);
  }

  /** Copies as many bytes as the chunk contains after {@link #writeFirst} or {@link #writeSame}. */
  @Benchmark
  public byte[] plainCopy() {
    return copy(packed);
  }

  /** Copies as many bytes as the chunk contains after {@link #writeBetween}. */
  @Benchmark
  public byte[] plainCopyBetween() {
    return copy(larger);
  }

  private static byte[] copy(MemorySegment values) {
    return values.heapBase().orElse(values) instanceof byte[] array
        ? Arrays.copyOf(array, array.length)
        : values.toArray(ValueLayout.JAVA_BYTE);
  }
}
