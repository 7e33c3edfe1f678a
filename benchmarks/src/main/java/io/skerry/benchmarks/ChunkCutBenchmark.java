package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.selection.Selection;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
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
 * Measures the division of the u16 values of a selection into chunks of 1 × 256 × 256, as in a
 * write. There are two baselines: a map from each chunk to a dense array and a bit set, which are
 * filled one element at a time; and sorting one number per element, a lower bound for a division
 * that sorts a list of points.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ChunkCutBenchmark {
  private static final int SIDE = 256;

  /** The kind of selection. */
  @Param public SelectionKind kind = SelectionKind.POINTS;

  private final ChunkGrid grid = ChunkGrid.of(1, SIDE, SIDE);
  private Selection selection = Selection.none();
  private long[] coordinates = {};
  private long[] keys = {};
  private MemorySegment values = MemorySegment.ofArray(new byte[0]);

  /** Creates the selection and the values. */
  @Setup
  public void prepare() {
    selection = kind.make();
    coordinates = selection.toCoordinates(SelectionKind.EXTENT);
    values = MemorySegment.ofArray(new byte[coordinates.length / 3 * 2]);
    keys = new long[coordinates.length / 3];
    Arrays.setAll(keys, i -> chunk(3 * i) << 16 | element(3 * i));
  }

  /** Returns the number of the chunk of the element whose coordinates start at {@code from}. */
  private long chunk(int from) {
    return coordinates[from] << 40
        | coordinates[from + 1] / SIDE << 20
        | coordinates[from + 2] / SIDE;
  }

  /** Returns the row-major index of the element in its chunk. */
  private int element(int from) {
    return (int) (coordinates[from + 1] % SIDE * SIDE + coordinates[from + 2] % SIDE);
  }

  /** Divides the selection into chunks without collecting values. */
  @Benchmark
  public int cut() {
    return grid.cut(selection, SelectionKind.EXTENT).size();
  }

  /** Divides the selection into chunks and collects the values of each chunk. */
  @Benchmark
  public long cutAndGather() {
    long bytes = 0;
    for (ChunkSlice slice : grid.cut(selection, SelectionKind.EXTENT)) {
      byte[] packed = new byte[(int) slice.elements().count() * 2];
      slice.gather(values, 2, MemorySegment.ofArray(packed));
      bytes += packed.length;
    }
    return bytes;
  }

  /**
   * Sorts one number per element, with the chunk in the most significant bits: a lower bound for
   * {@link #cut} with points, which sorts the points.
   */
  @Benchmark
  public long[] sortKeys() {
    long[] sorted = keys.clone();
    Arrays.sort(sorted);
    return sorted;
  }

  private record PlainChunk(BitSet defined, short[] values) {}

  /** Divides the values element by element. */
  @Benchmark
  public int plainMap() {
    Map<Long, PlainChunk> chunks = new HashMap<>();
    for (int at = 0; at < coordinates.length; at += 3) {
      PlainChunk chunk =
          chunks.computeIfAbsent(
              chunk(at), _ -> new PlainChunk(new BitSet(SIDE * SIDE), new short[SIDE * SIDE]));
      int index = element(at);
      chunk.defined().set(index);
      chunk.values()[index] = values.getAtIndex(DetectorFrame.U16, at / 3);
    }
    return chunks.size();
  }
}
