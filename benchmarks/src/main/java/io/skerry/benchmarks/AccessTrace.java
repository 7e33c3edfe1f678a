package io.skerry.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * A trace: the order in which a program accesses the chunks of a dataset. The sizes of the chunks
 * are log-uniformly distributed between 4 KiB and 256 KiB; a cache of {@link #CACHE_BYTES} holds
 * about a thousand chunks. Each trace is the same in every run.
 */
public enum AccessTrace {
  /**
   * One pass over many chunks, then ten passes over other chunks whose total size is four times the
   * cache size.
   */
  SCAN,
  /** Random accesses: the k-th most popular chunk with a frequency proportional to 1 / k^0.99. */
  ZIPF,
  /** Fifty passes over chunks whose total size is one and a half times the cache size. */
  LOOP,
  /**
   * Accesses as in {@link #ZIPF}, interleaved with a scan that advances by 100 chunks after every
   * 200 accesses.
   */
  MIXED,
  /**
   * 64 passes over chunks whose total size is a quarter of the cache size, as in a row-by-row read,
   * then 64 passes over the next such group of chunks, and so on. No chunk is accessed after its 64
   * passes.
   */
  ROWS;

  /** The size, in bytes, of the cache for which the traces are designed. */
  public static final long CACHE_BYTES = 64L << 20;

  private static final long SEED = 20_250_821;
  private static final int POPULAR = 10_000;
  private static final double SKEW = 0.99;

  /** Returns the chunk numbers in the order of the accesses. */
  public int[] chunks() {
    return switch (this) {
      case SCAN -> join(IntStream.range(0, 20_000), repeat(10, 30_000, 34_400));
      case ZIPF -> zipf(new SplittableRandom(SEED), 300_000);
      case LOOP -> repeat(50, 0, 1_620).toArray();
      case MIXED -> mixed();
      case ROWS ->
          IntStream.range(0, 80)
              .flatMap(part -> repeat(64, part * 270, (part + 1) * 270))
              .toArray();
    };
  }

  /** Returns the size of a chunk in bytes. */
  public static int bytes(long chunk) {
    return (int) Math.round(4096 * Math.pow(64, new SplittableRandom(chunk).nextDouble()));
  }

  private static IntStream repeat(int times, int from, int to) {
    return IntStream.range(0, times).flatMap(time -> IntStream.range(from, to));
  }

  private static int[] join(IntStream first, IntStream second) {
    return IntStream.concat(first, second).toArray();
  }

  private static int[] mixed() {
    int[] popular = zipf(new SplittableRandom(SEED + 1), 200_000);
    return IntStream.range(0, 1_000)
        .flatMap(burst ->
            IntStream.concat(
                Arrays.stream(popular, burst * 200, (burst + 1) * 200),
                IntStream.range(POPULAR + burst * 100, POPULAR + (burst + 1) * 100)))
        .toArray();
  }

  /** Returns Zipf-distributed accesses to a random permutation of the chunks. */
  private static int[] zipf(RandomGenerator random, int accesses) {
    double[] upTo = new double[POPULAR];
    double sum = 0;
    for (int rank = 0; rank < POPULAR; rank++) {
      sum += 1 / Math.pow(rank + 1, SKEW);
      upTo[rank] = sum;
    }
    int[] places = IntStream.range(0, POPULAR).toArray();
    for (int i = POPULAR - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int moved = places[i];
      places[i] = places[j];
      places[j] = moved;
    }
    int[] chunks = new int[accesses];
    for (int i = 0; i < accesses; i++) {
      int found = Arrays.binarySearch(upTo, random.nextDouble() * sum);
      chunks[i] = places[found < 0 ? Math.min(-found - 1, POPULAR - 1) : found];
    }
    return chunks;
  }
}
