package io.skerry.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skerry.cache.CacheOptions;
import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.ChunkStore;
import io.skerry.cache.api.WorkerPool;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.table.DatasetChunks;
import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.dataspace.grid.ChunkCoordinates;
import io.skerry.chunk.format.DenseChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Compares a hit in the chunk cache with a hit in Caffeine: a chunk is looked up and used. All
 * chunks fit into both caches, and both record the use for their eviction policy. The chunk cache
 * also counts hits, so Caffeine is measured without and with {@code recordStats}.
 *
 * <p>Chunks are not pinned: a version is immutable and is kept alive by the reference to it, as are
 * the values in Caffeine. Caffeine is queried with keys boxed in advance, its best case; {@link
 * #caffeineBoxing} measures queries with a key boxed for each access.
 *
 * <p>{@code -prof gc} shows the allocations of a hit.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class CacheHitBenchmark {
  private static final int SIDE = 100;
  private static final int CHUNKS = SIDE * SIDE;
  private static final int LOOKUPS = 1 << 16;
  private static final long[] CHUNK = {4, 4};

  /** The distribution of the looked-up chunks. */
  public enum Pattern {
    /** The k-th most popular chunk with a probability proportional to 1/k. */
    ZIPF,
    /** Always the same chunk. */
    ONE
  }

  /** The distribution of the looked-up chunks. */
  @Param public Pattern pattern = Pattern.ZIPF;

  private final WorkerPool workers = new WorkerPool(1);
  private final ChunkCache cache =
      new ChunkCache(CacheOptions.standard().withFixedSize(1 << 30), new NothingStored(), workers);
  private final DenseChunkFormat format = DenseChunkFormat.of(CHUNK, Datatype.U16);
  private final DatasetChunks dataset =
      cache.open(
          new DatasetChunks.Layout(
              800, "/data", Shape.of(SIDE * CHUNK[0], SIDE * CHUNK[1]), format));

  private final Cache<Long, MemoryChunk> caffeine =
      Caffeine.newBuilder().maximumSize(CHUNKS).build();

  private final Cache<Long, MemoryChunk> counting =
      Caffeine.newBuilder().maximumSize(CHUNKS).recordStats().build();

  private final long[] numbers = new long[LOOKUPS];
  private final Long[] boxed = new Long[LOOKUPS];

  /** The position of a thread in the lookups; each thread starts at an arbitrary position. */
  @State(Scope.Thread)
  public static class Position {
    private int next = System.identityHashCode(this);

    int advance() {
      return next++ & LOOKUPS - 1;
    }
  }

  /** A store that is not needed, since all chunks are in memory and unchanged. */
  private static final class NothingStored implements ChunkStore {
    @Override
    public void load(List<ChunkKey> keys, WorkerPool.Crew crew, Arrival arrival) {
      throw new IllegalStateException("a miss: keys=" + keys);
    }

    @Override
    public Optional<RunSet> locate(ChunkKey key) {
      throw new IllegalStateException("a miss: key=" + key);
    }

    @Override
    public Optional<ChunkImage> encode(ChunkKey key, MemoryChunk chunk) {
      throw new IllegalStateException("nothing was written: key=" + key);
    }

    @Override
    public void store(List<Image> images) {
      throw new IllegalStateException("nothing was written: images=" + images);
    }

    @Override
    public boolean storesAnyTime(long id) {
      return false;
    }
  }

  /** Fills all caches with the same chunks. */
  @Setup(Level.Trial)
  public void prepare() {
    Random random = new Random(7);
    byte[] values = new byte[32];
    Long[] keys = new Long[CHUNKS];
    double[] cumulated = new double[CHUNKS];
    double sum = 0;
    for (int i = 0; i < CHUNKS; i++) {
      random.nextBytes(values);
      RunSet all = RunSet.range(0, format.elements());
      MemoryChunk chunk = format.write(format.newChunk(), all, MemorySegment.ofArray(values));
      ChunkCoordinates place = ChunkCoordinates.of(i / SIDE, i % SIDE);
      keys[i] = dataset.numbers().number(place.scaled());
      cache.keyed().putStored(new ChunkKey(dataset.id(), place), chunk);
      caffeine.put(keys[i], chunk);
      counting.put(keys[i], chunk);
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
    caffeine.cleanUp();
    counting.cleanUp();
    // Popular chunks are at random positions in the grid.
    Collections.shuffle(Arrays.asList(keys), random);
    for (int i = 0; i < LOOKUPS; i++) {
      int rank =
          switch (pattern) {
            case ZIPF -> Math.abs(Arrays.binarySearch(cumulated, random.nextDouble() * sum) + 1);
            case ONE -> 0;
          };
      boxed[i] = keys[rank];
      numbers[i] = keys[rank];
    }
  }

  /** Stops the workers. */
  @TearDown(Level.Trial)
  public void close() {
    workers.close();
  }

  private long ours(Position position) {
    return dataset.peek(numbers[position.advance()]).orElseThrow().definedCount();
  }

  private static long theirs(Cache<Long, MemoryChunk> from, Long key) {
    return Objects.requireNonNull(from.getIfPresent(key)).definedCount();
  }

  /** Hits in the chunk cache on one thread. */
  @Benchmark
  @Threads(1)
  public long skerry1(Position position) {
    return ours(position);
  }

  /** Hits in the chunk cache on two threads. */
  @Benchmark
  @Threads(2)
  public long skerry2(Position position) {
    return ours(position);
  }

  /** Hits in Caffeine on one thread. */
  @Benchmark
  @Threads(1)
  public long caffeine1(Position position) {
    return theirs(caffeine, boxed[position.advance()]);
  }

  /** Hits in Caffeine on two threads. */
  @Benchmark
  @Threads(2)
  public long caffeine2(Position position) {
    return theirs(caffeine, boxed[position.advance()]);
  }

  /** Hits in Caffeine with statistics on one thread. */
  @Benchmark
  @Threads(1)
  public long caffeineCounting1(Position position) {
    return theirs(counting, boxed[position.advance()]);
  }

  /** Hits in Caffeine with statistics on two threads. */
  @Benchmark
  @Threads(2)
  public long caffeineCounting2(Position position) {
    return theirs(counting, boxed[position.advance()]);
  }

  /** Hits in Caffeine on one thread, with the chunk number boxed for each access. */
  @Benchmark
  @Threads(1)
  public long caffeineBoxing(Position position) {
    return theirs(caffeine, numbers[position.advance()]);
  }
}
