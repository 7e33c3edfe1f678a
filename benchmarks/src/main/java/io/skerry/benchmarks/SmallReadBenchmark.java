package io.skerry.benchmarks;

import io.skerry.Dataset;
import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** Measures complete small reads from a dataset whose chunks are all in the cache. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@SuppressWarnings("NullAway.Init") // JMH calls prepare before anything else
public class SmallReadBenchmark {
  private static final int SIDE = 2048;
  private static final int PLACES = 1024;

  /** The size of the boxes. */
  @Param public SmallBoxBenchmark.Size size = SmallBoxBenchmark.Size.ONE;

  private final Selection[] selections = new Selection[PLACES];
  private Path path = Path.of("");
  private H5File file;
  private Dataset dataset;
  private int next;

  /** Creates the file, and reads each box once so that its chunk is in the cache. */
  @Setup
  public void prepare() throws IOException {
    path = Files.createTempFile("small", ".h5");
    short[] values = new short[SIDE * SIDE];
    Random random = new Random(7);
    for (int i = 0; i < values.length; i++) {
      values[i] = (short) random.nextInt(100);
    }
    try (H5File written = H5File.create(path)) {
      written
          .createDataset(
              "data",
              DatasetSpec.of(Datatype.U16, Shape.of(SIDE, SIDE))
                  .chunked(256, 512)
                  .filters(Filters.deflate(1)))
          .write(Selection.all(), values);
    }
    file = H5File.open(path);
    dataset = file.dataset("data");
    for (int i = 0; i < PLACES; i++) {
      long row = random.nextInt(SIDE / 8) * 8L;
      long column = random.nextInt(SIDE / 32) * 32L;
      selections[i] = Selection.box(new long[] {row, column}, size.sizes());
      values = dataset.readShorts(selections[i]);
    }
  }

  /** Closes and deletes the file. */
  @TearDown
  public void delete() throws IOException {
    file.close();
    Files.delete(path);
  }

  /** Reads one box. */
  @Benchmark
  public short[] read() {
    return dataset.readShorts(selections[next++ & PLACES - 1]);
  }
}
