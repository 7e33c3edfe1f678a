package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkGrid;
import io.skerry.chunk.dataspace.grid.ChunkSlice;
import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
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
 * Measures the steps of reading a small box from a chunk in memory, separately and together: the
 * cost of a read excluding the chunk lookup. A chunk has 256 × 512 u16 elements (256 KiB). In a
 * sparse chunk, the spots of a detector frame and some rows are defined.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SmallBoxBenchmark {
  private static final long[] CHUNK = {256, 512};
  private static final Shape EXTENT = Shape.of(8192, 8192);
  private static final int PLACES = 1024;

  /** The size of the boxes. */
  @Param public Size size = Size.ONE;

  /** The kind of chunks. */
  @Param public Kind kind = Kind.DENSE;

  private final ChunkGrid grid = ChunkGrid.of(CHUNK);
  private final long[] rows = new long[PLACES];
  private final long[] columns = new long[PLACES];
  private final long[] sizes = new long[2];
  private final Selection[] selections = new Selection[PLACES];
  private final RunSet[] elements = new RunSet[PLACES];
  private ChunkFormat format = DenseChunkFormat.of(CHUNK, Datatype.U16);
  private MemoryChunk chunk = format.newChunk();
  private int next;

  /** The numbers of rows and columns of a box. */
  public enum Size {
    ONE(1, 1),
    ROW(1, 32),
    SQUARE(8, 8);

    private final int rows;
    private final int columns;

    Size(int rows, int columns) {
      this.rows = rows;
      this.columns = columns;
    }

    long[] sizes() {
      return new long[] {rows, columns};
    }
  }

  /** The kind of a chunk. */
  public enum Kind {
    DENSE,
    SPARSE
  }

  /** Creates the chunk, and boxes that are each within one chunk. */
  @Setup
  public void prepare() {
    Random random = new Random(5);
    sizes[0] = size.rows;
    sizes[1] = size.columns;
    for (int i = 0; i < PLACES; i++) {
      rows[i] = random.nextInt(32) * CHUNK[0] + random.nextInt((int) CHUNK[0] - size.rows + 1);
      columns[i] =
          random.nextInt(16) * CHUNK[1] + random.nextInt((int) CHUNK[1] - size.columns + 1);
      selections[i] = Selection.box(new long[] {rows[i], columns[i]}, sizes);
      elements[i] = grid.cut(selections[i], EXTENT).getFirst().elements();
    }
    RunSet written = RunSet.range(0, CHUNK[0] * CHUNK[1]);
    if (kind == Kind.SPARSE) {
      format = SparseChunkFormat.of(CHUNK, Datatype.U16);
      written = DetectorFrame.of(1).spots().intersect(written);
      written = written.union(RunSet.range(512, 1024)).union(RunSet.range(100_000, 110_000));
    }
    byte[] values = new byte[(int) written.count() * 2];
    random.nextBytes(values);
    chunk = format.write(format.newChunk(), written, MemorySegment.ofArray(values));
  }

  private int next() {
    return next++ & PLACES - 1;
  }

  private Selection selection(int i) {
    return Selection.at(rows[i], columns[i]).extent(sizes);
  }

  /** Creates the selection. */
  @Benchmark
  public Selection select() {
    return selection(next());
  }

  /** Checks the selection and counts its elements. */
  @Benchmark
  public long check() {
    Selection selection = selections[next()];
    selection.checkWithin(EXTENT);
    return selection.count(EXTENT);
  }

  /** Finds the chunk of a box and the elements of the box in the chunk. */
  @Benchmark
  public ChunkSlice cut() {
    return grid.cut(selections[next()], EXTENT).getFirst();
  }

  /** Compares the datatypes. */
  @Benchmark
  public Conversion conversion() {
    return Conversion.between(format.datatype(), Datatype.U16);
  }

  /** Reads the values from the chunk. */
  @Benchmark
  public short[] read() {
    short[] values = new short[size.rows * size.columns];
    format.read(chunk, elements[next()], MemorySegment.ofArray(values));
    return values;
  }

  /** Performs all steps. */
  @Benchmark
  public short[] together() {
    Selection selection = selection(next());
    Conversion conversion = Conversion.between(format.datatype(), Datatype.U16);
    selection.checkWithin(EXTENT);
    short[] values = new short[(int) selection.count(EXTENT)];
    ChunkSlice slice = grid.cut(selection, EXTENT).getFirst();
    if (conversion.isIdentity() && slice.contiguousPlace().isPresent()) {
      format.read(chunk, slice.elements(), MemorySegment.ofArray(values));
    }
    return values;
  }
}
