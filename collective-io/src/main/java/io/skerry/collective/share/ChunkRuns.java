package io.skerry.collective.share;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import java.util.Arrays;

/**
 * The chunks of one dataset that a rank needs, in ascending order, as runs of consecutive chunks.
 * All chunks of a run have the same number of needed elements.
 *
 * @param first the number of the first chunk of each run, row-major in the grid
 * @param count the number of chunks of each run
 * @param elements the number of needed elements in each chunk of each run
 */
record ChunkRuns(long[] first, long[] count, long[] elements) {
  static final ChunkRuns NONE = new ChunkRuns(new long[0], new long[0], new long[0]);

  int runs() {
    return first.length;
  }

  long end(int run) {
    return first[run] + count[run];
  }

  /** Collects chunks in ascending order. */
  static final class Builder {
    private long[] first = new long[4];
    private long[] count = new long[4];
    private long[] elements = new long[4];
    private int runs;
    private long chunk = -1;
    private long wanted;

    /** Adds needed elements of a chunk; chunks must be added in ascending order. */
    void add(long number, long more) {
      if (number == chunk) {
        wanted += more;
        return;
      }
      close();
      chunk = number;
      wanted = more;
    }

    private void close() {
      if (chunk < 0) {
        return;
      }
      int last = runs - 1;
      if (runs > 0 && first[last] + count[last] == chunk && elements[last] == wanted) {
        count[last]++;
        return;
      }
      if (runs == first.length) {
        first = Arrays.copyOf(first, 2 * runs);
        count = Arrays.copyOf(count, 2 * runs);
        elements = Arrays.copyOf(elements, 2 * runs);
      }
      first[runs] = chunk;
      count[runs] = 1;
      elements[runs++] = wanted;
    }

    ChunkRuns build() {
      close();
      return new ChunkRuns(
          Arrays.copyOf(first, runs), Arrays.copyOf(count, runs), Arrays.copyOf(elements, runs));
    }
  }

  void encode(ByteWriter out) {
    out.u32(runs());
    for (int run = 0; run < runs(); run++) {
      out.u64(first[run]).u64(count[run]).u64(elements[run]);
    }
  }

  static ChunkRuns decode(ByteReader in) {
    long runs = in.u32();
    if (runs > in.remaining() / (3 * Long.BYTES)) {
      throw in.fault("runs of chunks", "at most " + in.remaining() / (3 * Long.BYTES), runs);
    }
    ChunkRuns decoded =
        new ChunkRuns(new long[(int) runs], new long[(int) runs], new long[(int) runs]);
    for (int run = 0; run < runs; run++) {
      decoded.first[run] = in.u63("chunk");
      decoded.count[run] = in.u63("number of chunks");
      decoded.elements[run] = in.u63("elements of a chunk");
    }
    return decoded;
  }
}
