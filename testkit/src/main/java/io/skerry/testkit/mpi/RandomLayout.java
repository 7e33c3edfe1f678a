package io.skerry.testkit.mpi;

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;

/**
 * Blocks in a buffer, in random order and with random gaps; blocks may be empty.
 *
 * @param counts the number of bytes in the block of each rank
 * @param displacements the byte offset of the block of each rank
 * @param total the number of bytes in the buffer
 */
record RandomLayout(long[] counts, long[] displacements, int total) {

  /** Returns a random layout of blocks of the given sizes in bytes. */
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

  /** Copies the block of a rank into the model of a buffer. */
  void put(byte[] block, int rank, byte[] model) {
    System.arraycopy(block, 0, model, (int) displacements[rank], block.length);
  }
}
