package io.skerry.collective;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.mpi.LocalRanks;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LetterRelayTest {
  /** What one rank has to say to another: often nothing. */
  private static byte[] text(int ranks, int source, int destination) {
    Random random = new Random(1000L * ranks + 31L * source + destination);
    byte[] text = new byte[random.nextInt(3) == 0 ? random.nextInt(100) : 0];
    random.nextBytes(text);
    return text;
  }

  @Test
  void each_letter_reaches_whom_it_is_for_and_nobody_else() {
    for (int size = 1; size <= 37; size++) {
      int ranks = size;
      LocalRanks.run(
          ranks,
          world -> {
            SortedMap<Integer, MemorySegment> out = new TreeMap<>();
            for (int to = 0; to < ranks; to++) {
              byte[] text = text(ranks, world.rank(), to);
              if (text.length > 0) {
                out.put(to, MemorySegment.ofArray(text));
              }
            }
            SortedMap<Integer, MemorySegment> in = LetterRelay.deliver(world, out);
            int expected = 0;
            for (int from = 0; from < ranks; from++) {
              byte[] text = text(ranks, from, world.rank());
              if (text.length > 0) {
                expected++;
                assertArrayEquals(text, in.get(from).toArray(ValueLayout.JAVA_BYTE));
              }
            }
            assertEquals(expected, in.size(), "ranks=" + ranks);
          });
    }
  }
}
