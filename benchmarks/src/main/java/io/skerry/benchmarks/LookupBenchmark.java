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
 * Finding a chunk that is there by its number, beside a map of the JDK and beside Caffeine. The
 * others get their keys boxed ahead, and the very objects that they hold, which is the best case
 * for them. Caffeine also notes that the entry was used; the other two only find it. {@code -t 2}
 * for two threads, {@code -prof gc} for what a lookup allocates.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Benchmark)
@Fork(1)
@Warmup(iterations = 4, time = 1)
@Measurement(iterations = 5, time = 1)
public class LookupBenchmark {
  /** Which chunks are looked for. */
  public enum Pattern {
    /** The k-th most popular chunk with a probability in proportion to 1/k. */
    ZIPF,
    /** Always the same. */
    ONE
  }

  private static final int CHUNKS = 10_000;
  private static final int LOOKUPS = 1 << 16;

  /** Which chunks are looked for. */
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

  /** Where a thread is in the lookups; each begins elsewhere. */
  @State(Scope.Thread)
  public static class Position {
    private int next = System.identityHashCode(this);

    int advance() {
      return next++ & LOOKUPS - 1;
    }
  }

  /** Fills all three with the same chunks: 100 columns, as numbers have them. */
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
    // Popular chunks lie anywhere in the grid.
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

  /** Ours. */
  @Benchmark
  public void table(Position position, Blackhole sink) {
    sink.consume(table.get(numbers[position.advance()]));
  }

  /** The JDK's. */
  @Benchmark
  public void map(Position position, Blackhole sink) {
    sink.consume(map.get(boxed[position.advance()]));
  }

  /** Caffeine's. */
  @Benchmark
  public void caffeine(Position position, Blackhole sink) {
    sink.consume(caffeine.getIfPresent(boxed[position.advance()]));
  }
}
