package io.skerry.benchmarks;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/**
 * In which order a program asks for the chunks of a dataset. Chunks have 4 KiB to 256 KiB, as many
 * between 4 and 8 as between 128 and 256; {@link #CACHE_BYTES} hold about a thousand of them. Every
 * trace comes from a seed and is the same each time.
 */
public enum AccessTrace {
  /** Everything once, then a part of four times the cache ten times over. */
  SCAN,
  /** Some chunks are asked for more than others: the k-th most popular one 1 / k^0.99 as often. */
  ZIPF,
  /** One and a half times the cache, fifty times over. */
  LOOP,
  /** As {@link #ZIPF}, and after every 200 accesses a scan goes on by 100 chunks. */
  MIXED,
  /**
   * A quarter of the cache is read row by row, each chunk 64 times; then the next quarter. What was
   * popular never comes again.
   */
  ROWS;

  /** Bytes of the cache that the traces are meant for. */
  public static final long CACHE_BYTES = 64L << 20;

  private static final long SEED = 20_250_821;
  private static final int POPULAR = 10_000;
  private static final double SKEW = 0.99;

  /** The chunk numbers in the order of the accesses. */
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

  /** Bytes of a chunk. */
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

  /** Popular chunks lie anywhere. */
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
