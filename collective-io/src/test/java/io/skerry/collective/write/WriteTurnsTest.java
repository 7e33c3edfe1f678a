package io.skerry.collective.write;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.datatype.conversion.Conversion;
import io.skerry.collective.dataset.ContiguousDataset;
import io.skerry.collective.wire.Exchange;
import io.skerry.datatype.Datatype;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class WriteTurnsTest {
  private static final Shape SHAPE = Shape.of(40, 40);

  private static WriteTurns turns(Shape shape, Selection... selections) {
    SortedMap<Integer, MemorySegment> messages = new TreeMap<>();
    for (int rank = 0; rank < selections.length; rank++) {
      ContiguousDataset.Part part =
          new ContiguousDataset.Part(
              selections[rank], MemorySegment.ofArray(new byte[0]), Conversion.none(Datatype.I32));
      MemorySegment message = WriteTurns.encode(part, shape).written();
      if (message.byteSize() > 0) {
        messages.put(rank, message);
      }
    }
    return WriteTurns.of(
        new Exchange.Inbox(messages, "part of a write"), selections.length, shape.rank());
  }

  private static boolean intersect(Selection a, Selection b) {
    return a.boundingBox(SHAPE).isPresent() && b.boundingBox(SHAPE).isPresent() && a.intersects(b);
  }

  @Test
  void a_rank_writes_after_the_lower_ranks_that_it_overlaps_and_no_later() {
    SplittableRandom random = new SplittableRandom(5);
    int several = 0;
    for (int round = 0; round < 2000; round++) {
      Selection[] boxes = new Selection[1 + random.nextInt(9)];
      long elements = 0;
      int most = 1 + random.nextInt(12);
      for (int rank = 0; rank < boxes.length; rank++) {
        boxes[rank] =
            random.nextInt(5) == 0
                ? Selection.none()
                : Selection.at(random.nextInt(28), random.nextInt(28))
                    .extent(1 + random.nextInt(most), 1 + random.nextInt(most));
        elements += boxes[rank].count(SHAPE);
      }
      WriteTurns turns = turns(SHAPE, boxes);
      int[] expected = new int[boxes.length];
      for (int rank = 0; rank < boxes.length; rank++) {
        for (int lower = 0; lower < rank; lower++) {
          if (intersect(boxes[lower], boxes[rank])) {
            expected[rank] = Math.max(expected[rank], expected[lower] + 1);
          }
        }
      }
      assertArrayEquals(expected, turns.turns());
      assertEquals(elements, turns.elements());
      several += turns.count() > 1 ? 1 : 0;
    }
    assertTrue(several > 300 && several < 1700, "several turns: " + several);
  }

  @Test
  void a_rank_that_writes_a_scalar_waits_for_all_lower_ranks() {
    Selection all = Selection.all();
    WriteTurns turns = turns(Shape.scalar(), all, Selection.none(), all, all);
    assertArrayEquals(new int[] {0, 0, 1, 2}, turns.turns());
    assertEquals(3, turns.count());
  }
}
