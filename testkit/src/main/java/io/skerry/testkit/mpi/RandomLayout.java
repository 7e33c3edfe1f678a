package io.skerry.testkit.mpi;

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;

/**
 * Random blocks in a buffer, in random order with gaps; some empty.
 *
 * @param counts bytes per rank
 * @param displacements where they begin
 * @param total the bytes of the buffer
 */
record RandomLayout(long[] counts, long[] displacements, int total) {

  /** Lays blocks of given sizes out at random. */
  static RandomLayout of(int[] sizes, Random random) {
    var order = new Integer[sizes.length];
    Arrays.setAll(order, i -> i);
    Collections.shuffle(Arrays.asList(order), random);
    var counts = Arrays.stream(sizes).asLongStream().toArray();
    var displacements = new long[sizes.length];
    int at = random.nextInt(4);
    for (int rank : order) {
      displacements[rank] = at;
      at += sizes[rank] + random.nextInt(4);
    }
    return new RandomLayout(counts, displacements, at);
  }

  /** Puts a block into the model of a buffer. */
  void put(byte[] block, int rank, byte[] model) {
    System.arraycopy(block, 0, model, (int) displacements[rank], block.length);
  }
}
