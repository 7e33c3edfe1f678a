package io.skerry.benchmarks;

import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.chunk.format.SparseChunkFormat;
import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;
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
 * Measures writes to and reads from a sparse chunk of 1 × 1024 × 1024 u16 in memory (memWrite and
 * memRead of "RFC: Sparse Chunks", draft of 2018-08-30), in comparison with a plain form that
 * consists of a bit set and a dense array. Skerry creates a new version with every write; the plain
 * form is changed in place and always occupies 2.1 MiB.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SparseChunkBenchmark {
  /** The pixels that are written and read. */
  @Param public Kept kept = Kept.SPOTS;

  private final DetectorFrame frame = DetectorFrame.of(1);
  private final SparseChunkFormat format =
      SparseChunkFormat.of(new long[] {1, 1024, 1024}, Datatype.U16);
  private final RunSet everything = RunSet.range(0, DetectorFrame.PIXELS);
  private final MemorySegment whole = MemorySegment.ofArray(new byte[DetectorFrame.PIXELS * 2]);
  private final BitSet plainDefined = new BitSet(DetectorFrame.PIXELS);
  private final short[] plainValues = new short[DetectorFrame.PIXELS];

  private RunSet elements = RunSet.empty();
  private int[] indices = {};
  private MemorySegment packed = whole;
  private MemorySegment out = whole;
  private MemoryChunk empty = format.newChunk();
  private MemoryChunk other = empty;
  private MemoryChunk written = empty;

  /** Creates the elements, the values and the initial chunks. */
  @Setup
  public void prepare() {
    elements = kept.of(frame);
    indices = DetectorFrame.indices(elements);
    packed = frame.packed(elements);
    out = MemorySegment.ofArray(new byte[(int) packed.byteSize()]);
    empty = format.newChunk();
    DetectorFrame next = DetectorFrame.of(2);
    other = format.write(empty, next.spots(), next.packed(next.spots()));
    written = format.write(other, elements, packed);
    plainWrite();
  }

  /** Writes to a chunk without defined elements. */
  @Benchmark
  public MemoryChunk writeFirst() {
    return format.write(empty, elements, packed);
  }

  /** Writes to a chunk in which 75 other spots are defined. */
  @Benchmark
  public MemoryChunk writeMore() {
    return format.write(other, elements, packed);
  }

  /** Writes to the plain form, element by element. */
  @Benchmark
  public short[] plainWrite() {
    for (int i = 0; i < indices.length; i++) {
      plainDefined.set(indices[i]);
      plainValues[indices[i]] = packed.getAtIndex(DetectorFrame.U16, i);
    }
    return plainValues;
  }

  /** Reads the written elements. */
  @Benchmark
  public MemorySegment read() {
    format.read(written, elements, out);
    return out;
  }

  /** Reads the written elements from the plain form, one by one. */
  @Benchmark
  public MemorySegment plainRead() {
    for (int i = 0; i < indices.length; i++) {
      int index = indices[i];
      out.setAtIndex(DetectorFrame.U16, i, plainDefined.get(index) ? plainValues[index] : 0);
    }
    return out;
  }

  /** Reads all elements, most of which are undefined. */
  @Benchmark
  public MemorySegment readWhole() {
    format.read(written, everything, whole);
    return whole;
  }

  /** Reads all elements from the plain form, one by one. */
  @Benchmark
  public MemorySegment plainReadWhole() {
    for (int i = 0; i < plainValues.length; i++) {
      whole.setAtIndex(DetectorFrame.U16, i, plainDefined.get(i) ? plainValues[i] : 0);
    }
    return whole;
  }
}
