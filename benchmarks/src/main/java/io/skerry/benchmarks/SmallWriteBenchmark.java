package io.skerry.benchmarks;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.datatype.Datatype;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures writes to a dense chunk of 512 × 1024 u16 elements (1 MiB) in memory: one row, all rows
 * one by one, and all rows at once. Also measures reads of the entire chunk. A copy of the chunk is
 * measured for comparison, because every write that shares no data with the previous version
 * includes such a copy.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class SmallWriteBenchmark {
  private static final int ROWS = 512;
  private static final int ROW = 1024;

  private final DenseChunkFormat format = DenseChunkFormat.of(new long[] {ROWS, ROW}, Datatype.U16);
  private final RunSet all = RunSet.range(0, ROWS * ROW);
  private final RunSet[] rows = new RunSet[ROWS];
  private byte[] plain = {};
  private MemorySegment row = MemorySegment.NULL;
  private MemoryChunk whole = format.newChunk();
  private MemoryChunk written = whole;
  private int next;

  /** Creates the values and the initial chunks. */
  @Setup
  public void prepare() {
    Random random = new Random(3);
    plain = new byte[2 * ROWS * ROW];
    random.nextBytes(plain);
    row = MemorySegment.ofArray(new short[ROW]);
    for (int i = 0; i < ROWS; i++) {
      rows[i] = RunSet.range((long) i * ROW, (i + 1L) * ROW);
    }
    whole = format.write(format.newChunk(), all, MemorySegment.ofArray(plain));
    written = format.write(whole, rows[0], row);
  }

  /** Writes a row of a chunk that was written as a whole. */
  @Benchmark
  public MemoryChunk firstRow() {
    return format.write(whole, rows[next++ & ROWS - 1], row);
  }

  /** Writes a row of a chunk in which one row has already been overwritten. */
  @Benchmark
  public MemoryChunk laterRow() {
    return format.write(written, rows[next++ & ROWS - 1], row);
  }

  /** Writes all rows of a new chunk, one by one, and encodes the chunk. */
  @Benchmark
  public ChunkImage byRows() {
    MemoryChunk chunk = format.newChunk();
    for (RunSet each : rows) {
      chunk = format.write(chunk, each, row);
    }
    return format.encode(chunk).orElseThrow();
  }

  /** Writes a new chunk as a whole and encodes it. */
  @Benchmark
  public ChunkImage atOnce() {
    MemorySegment values = MemorySegment.ofArray(plain);
    return format.encode(format.write(format.newChunk(), all, values)).orElseThrow();
  }

  /** Reads an entire chunk in which one row was overwritten. */
  @Benchmark
  public byte[] readParts() {
    byte[] values = new byte[plain.length];
    format.read(written, all, MemorySegment.ofArray(values));
    return values;
  }

  /** Reads an entire chunk that was written as a whole. */
  @Benchmark
  public byte[] readWhole() {
    byte[] values = new byte[plain.length];
    format.read(whole, all, MemorySegment.ofArray(values));
    return values;
  }

  /** Copies the bytes of a chunk. */
  @Benchmark
  public byte[] plainCopy() {
    return plain.clone();
  }
}
