package io.skerry.benchmarks;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.skerry.cache.table.NumberTable;
import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
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
import org.openjdk.jmh.infra.Blackhole;

/**
 * Compares lookups of a present chunk by its number in the table of the chunk cache, in a JDK map
 * and in Caffeine. The map and Caffeine are queried with the same key objects that they contain,
 * boxed in advance, which is their best case. Caffeine also records the use of the entry. {@code -t
 * 2} uses two threads; {@code -prof gc} shows the allocations.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookupBenchmark {
  /** The distribution of the looked-up chunks. */
  public enum Pattern {
    /** The k-th most popular chunk with a probability proportional to 1/k. */
    ZIPF,
    /** Always the same chunk. */
    ONE
  }

  private static final int CHUNKS = 10_000;
  private static final int LOOKUPS = 1 << 16;

  /** The distribution of the looked-up chunks. */
  @Param public Pattern pattern = Pattern.ZIPF;

  private final NumberTable<Entry> table = new NumberTable<>(new Entry(-1));
  private final ConcurrentHashMap<Long, Entry> map = new ConcurrentHashMap<>();
  private final Cache<Long, Entry> caffeine = Caffeine.newBuilder().maximumSize(CHUNKS).build();
  private final long[] numbers = new long[LOOKUPS];
  private final Long[] boxed = new Long[LOOKUPS];

  private static final class Entry implements NumberTable.Numbered {
    private final long number;

    Entry(long number) {
      this.number = number;
    }

    @Override
    public long number() {
      return number;
    }
  }

  /** The position of a thread in the lookups; each thread starts at an arbitrary position. */
  @State(Scope.Thread)
  public static class Position {
    private int next = System.identityHashCode(this);

    int advance() {
      return next++ & LOOKUPS - 1;
    }
  }

  /** Fills the table, the map and Caffeine with the chunks of a grid with 100 columns. */
  @Setup
  public void prepare() {
    Long[] keys = new Long[CHUNKS];
    Arrays.setAll(keys, i -> (i / 100L) << 7 | i % 100);
    Random random = new Random(7);
    double[] cumulated = new double[CHUNKS];
    double sum = 0;
    for (int i = 0; i < CHUNKS; i++) {
      Entry entry = new Entry(keys[i]);
      table.putIfAbsent(entry);
      map.put(keys[i], entry);
      caffeine.put(keys[i], entry);
      sum += 1.0 / (i + 1);
      cumulated[i] = sum;
    }
    caffeine.cleanUp();
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

  /** Looks up entries in the table of the chunk cache. */
  @Benchmark
  public void table(Position position, Blackhole sink) {
    sink.consume(table.get(numbers[position.advance()]));
  }

  /** Looks up entries in the JDK map. */
  @Benchmark
  public void map(Position position, Blackhole sink) {
    sink.consume(map.get(boxed[position.advance()]));
  }

  /** Looks up entries in Caffeine. */
  @Benchmark
  public void caffeine(Position position, Blackhole sink) {
    sink.consume(caffeine.getIfPresent(boxed[position.advance()]));
  }
}
