package io.skerry.testkit.mpi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Random;

/**
 * Creates the buffers of one rank and computes their contents. About half of the buffers are native
 * memory confined to the thread of the rank; the others are on the heap. Some start at odd offsets.
 * The bytes that a rank sends derive from the seed and the pair of ranks, so every rank can compute
 * them.
 */
final class RankBuffers implements AutoCloseable {
  private static final byte FILLER = 0x5A;

  private final long seed;
  private final Random kinds;
  private final Arena arena = Arena.ofConfined();

  RankBuffers(long seed, int rank) {
    this.seed = seed;
    this.kinds = new Random(31 * seed + rank);
  }

  /** Returns the bytes that rank {@code from} sends to rank {@code to}. */
  byte[] content(int from, int to, int bytes) {
    var content = new byte[bytes];
    new Random(seed * 1_000_003 + from * 1009L + to).nextBytes(content);
    return content;
  }

  /** Returns a buffer with a copy of the bytes. */
  MemorySegment of(byte[] bytes) {
    return filled(bytes.length).copyFrom(MemorySegment.ofArray(bytes));
  }

  /** Returns a buffer of filler bytes. */
  MemorySegment filled(int bytes) {
    int shift = kinds.nextInt(3);
    var whole =
        kinds.nextBoolean()
            ? arena.allocate(bytes + shift, 8)
            : MemorySegment.ofArray(new byte[bytes + shift]);
    return whole.asSlice(shift).fill(FILLER);
  }

  /** Returns filler bytes, the model of {@link #filled}. */
  static byte[] filler(int bytes) {
    var filler = new byte[bytes];
    Arrays.fill(filler, FILLER);
    return filler;
  }

  @Override
  public void close() {
    arena.close();
  }
}
