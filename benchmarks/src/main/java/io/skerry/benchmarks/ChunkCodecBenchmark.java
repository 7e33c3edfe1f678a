package io.skerry.benchmarks;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.zip.DataFormatException;
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
 * Measures encoding and decoding of a chunk that contains a frame or some of its pixels, in
 * comparison with {@link PlainCodec}. Prints the stored sizes of both encodings at the start.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
public class ChunkCodecBenchmark {
  /** The storage of the frame. */
  @Param public Stored stored = Stored.DENSE;

  private ChunkFormat format = stored.format();
  private MemoryChunk chunk = format.newChunk();
  private PlainCodec plain = stored.plain();
  private int[] indices = {};
  private MemorySegment values = MemorySegment.ofArray(new byte[0]);
  private Optional<ChunkImage> image = Optional.empty();
  private byte[] plainImage = {};

  /** Creates the chunk and both encoded images. */
  @Setup
  public void prepare() {
    DetectorFrame frame = DetectorFrame.of(1);
    RunSet elements = stored.elements(frame);
    format = stored.format();
    plain = stored.plain();
    indices = DetectorFrame.indices(elements);
    values = frame.packed(elements);
    chunk = format.write(format.newChunk(), elements, values);
    image = format.encode(chunk);
    plainImage = plainEncode();
    System.out.printf(
        "[elements=%d bytes=%d plainBytes=%d] ",
        elements.count(), image.orElseThrow().bytes().byteSize(), plainImage.length);
  }

  /** Encodes a chunk as a flush does. */
  @Benchmark
  public Optional<ChunkImage> encode() {
    return format.encode(chunk);
  }

  /** Decodes a chunk as a read does if the chunk is not in memory. */
  @Benchmark
  public MemoryChunk decode() {
    return format.decode(image.orElseThrow());
  }

  /** Encodes the same elements with {@link PlainCodec}. */
  @Benchmark
  public byte[] plainEncode() {
    return plain.encode(indices, values);
  }

  /** Decodes the same elements with {@link PlainCodec}. */
  @Benchmark
  public short[] plainDecode() throws DataFormatException {
    return plain.decode(plainImage, indices.length);
  }
}
