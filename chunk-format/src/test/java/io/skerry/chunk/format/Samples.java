package io.skerry.chunk.format;

import io.skerry.chunk.dataspace.RunSet;
import java.lang.foreign.MemorySegment;
import java.util.Random;

/** Random sets and values, and the model of a chunk as a plain array. */
final class Samples {
  private Samples() {}

  /** Returns a random subset, sometimes empty, complete, or a single element. */
  static RunSet randomSet(Random random, int elements) {
    RunSet.Builder builder = new RunSet.Builder();
    int kind = random.nextInt(10);
    if (kind == 0) {
      return RunSet.empty();
    }
    if (kind == 1) {
      return RunSet.range(0, elements);
    }
    int longest = kind < 5 ? 1 : 1 + random.nextInt(elements);
    int at = random.nextInt(elements);
    while (at < elements) {
      int end = Math.min(elements, at + 1 + random.nextInt(longest));
      builder.add(at, end);
      at = end + random.nextInt(longest + elements / 8 + 1);
    }
    return builder.build();
  }

  static short[] randomShorts(Random random, RunSet elements) {
    short[] packed = new short[(int) elements.count()];
    for (int i = 0; i < packed.length; i++) {
      packed[i] = (short) random.nextInt();
    }
    return packed;
  }

  static void scatter(RunSet elements, short[] packed, short[] model) {
    int at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      for (long i = elements.start(run); i < elements.end(run); i++) {
        model[(int) i] = packed[at++];
      }
    }
  }

  static short[] gather(RunSet elements, short[] model) {
    short[] packed = new short[(int) elements.count()];
    int at = 0;
    for (int run = 0; run < elements.runs(); run++) {
      for (long i = elements.start(run); i < elements.end(run); i++) {
        packed[at++] = model[(int) i];
      }
    }
    return packed;
  }

  static short[] readShorts(ChunkFormat format, MemoryChunk chunk, RunSet elements) {
    short[] packed = new short[(int) elements.count()];
    format.read(chunk, elements, MemorySegment.ofArray(packed));
    return packed;
  }
}
