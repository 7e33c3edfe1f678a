package io.skerry.benchmarks;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures reads and writes of every n-th element of a contiguous i32 dataset, which are combined
 * with the gaps between the elements, in comparison with one system call for each element.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls prepare before anything else
public class StridedBlockBenchmark {
  private static final int SELECTED = 4096;

  /** The distance between two selected elements, in elements of 4 bytes. */
  @Param({"2", "32", "512", "1024", "2048", "4096"})
  public int stride = 2;

  private final MemorySegment values = Arena.ofAuto().allocate(4L * SELECTED);
  private final ByteBuffer element = ByteBuffer.allocateDirect(4);
  private Path path = Path.of("");
  private H5File file;
  private Dataset dataset;
  private Selection selection;
  private Path plainPath = Path.of("");
  private FileChannel plain;

  /** Creates the dataset, and a file of the same size. */
  @Setup
  public void prepare() throws IOException {
    path = Files.createTempFile("strided", ".h5");
    plainPath = Files.createTempFile("strided", ".bytes");
    int[] all = new int[stride * SELECTED];
    file = H5File.create(path);
    dataset =
        file.createDataset("data", DatasetSpec.of(Datatype.I32, Shape.of(all.length)).contiguous());
    dataset.write(Selection.all(), all);
    selection = Selection.at(0).stride(stride).count(SELECTED);
    plain = FileChannel.open(plainPath, StandardOpenOption.READ, StandardOpenOption.WRITE);
    int written = plain.write(ByteBuffer.allocate(4 * all.length), 0);
    if (written != 4 * all.length) {
      throw new IOException("written=" + written);
    }
  }

  /** Closes and deletes the files. */
  @TearDown
  public void delete() throws IOException {
    file.close();
    plain.close();
    Files.delete(path);
    Files.delete(plainPath);
  }

  /** Reads the elements. */
  @Benchmark
  public MemorySegment read() {
    dataset.read(selection, Datatype.I32, values);
    return values;
  }

  /** Writes the elements. */
  @Benchmark
  public void write() {
    dataset.write(selection, Datatype.I32, values);
  }

  /** Reads each element with a system call. */
  @Benchmark
  public int plainRead() throws IOException {
    int sum = 0;
    for (int i = 0; i < SELECTED; i++) {
      sum += plain.read(element.clear(), 4L * stride * i);
    }
    return sum;
  }

  /** Writes each element with a system call. */
  @Benchmark
  public int plainWrite() throws IOException {
    int sum = 0;
    for (int i = 0; i < SELECTED; i++) {
      sum += plain.write(element.clear(), 4L * stride * i);
    }
    return sum;
  }
}
