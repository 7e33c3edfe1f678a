package io.skerry.benchmarks;

import io.skerry.selection.Selection;
import java.util.BitSet;
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
 * Measures iteration over the runs of a selection, in comparison with a list of coordinates and a
 * bit set.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SelectionBenchmark {
  /** The kind of selection. */
  @Param public SelectionKind kind = SelectionKind.POINTS;

  private Selection selection = Selection.none();
  private long[] coordinates = {};
  private BitSet bits = new BitSet();

  /** Creates the selection in its three forms. */
  @Setup
  public void prepare() {
    selection = kind.make();
    coordinates = selection.toCoordinates(SelectionKind.EXTENT);
    bits = new BitSet(Math.toIntExact(SelectionKind.EXTENT.elements()));
    for (int at = 0; at < coordinates.length; at += 3) {
      bits.set((int) SelectionKind.linear(coordinates, at));
    }
  }

  /** Visits each run, with its start and length, as a copy does. */
  @Benchmark
  public long runs() {
    long[] sum = {0};
    selection.forEachRun(
        SelectionKind.EXTENT, (start, length) -> sum[0] += SelectionKind.linear(start, 0) ^ length);
    return sum[0];
  }

  /** Visits each element in a list of coordinates. */
  @Benchmark
  public long plainCoordinates() {
    long sum = 0;
    for (int at = 0; at < coordinates.length; at += 3) {
      sum += SelectionKind.linear(coordinates, at) ^ 1;
    }
    return sum;
  }

  /** Visits each element in a bit set with one bit per element of the dataset. */
  @Benchmark
  public long plainBitSet() {
    long sum = 0;
    for (int at = bits.nextSetBit(0); at >= 0; at = bits.nextSetBit(at + 1)) {
      sum += at ^ 1;
    }
    return sum;
  }
}
