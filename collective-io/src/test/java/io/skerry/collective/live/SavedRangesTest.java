package io.skerry.collective.live;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.block.Block;
import java.util.BitSet;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** A set of bytes beside a plain set of bits. */
class SavedRangesTest {
  @Test
  void the_parts_that_are_not_saved_are_those_of_a_plain_set() {
    for (int seed = 0; seed < 300; seed++) {
      Random random = new Random(seed);
      SavedRanges ranges = new SavedRanges();
      BitSet model = new BitSet();
      for (int step = 0; step < 60; step++) {
        int at = random.nextInt(100);
        int end = at + 1 + random.nextInt(30);
        Block block = new Block(at, end - at);
        BitSet missing = new BitSet();
        missing.set(at, end);
        missing.andNot(model);
        BitSet found = new BitSet();
        AtomicInteger last = new AtomicInteger(-1);
        ranges
            .without(block)
            .forEach(part -> {
              assertTrue(part.length() > 0 && part.address() > last.get(), part.toString());
              found.set((int) part.address(), (int) part.end());
              last.set((int) part.end());
            });
        assertEquals(missing, found, "seed=" + seed);
        if (random.nextInt(10) == 0) {
          ranges.clear();
          model.clear();
        } else {
          ranges.add(block);
          model.set(at, end);
        }
      }
    }
  }
}
