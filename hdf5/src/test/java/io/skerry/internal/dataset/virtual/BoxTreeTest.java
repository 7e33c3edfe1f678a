package io.skerry.internal.dataset.virtual;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Collections;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BoxTreeTest {
  private static long[][] boxes(Random random, int count, int rank, long size, long most) {
    long[][] boxes = new long[count][2 * rank];
    for (long[] box : boxes) {
      for (int d = 0; d < rank; d++) {
        box[d] = random.nextLong(size);
        box[rank + d] = box[d] + 1 + random.nextLong(most);
      }
    }
    return boxes;
  }

  private static boolean overlap(long[] a, int at, long[] b, int rank) {
    for (int d = 0; d < rank; d++) {
      if (a[at + d] >= b[rank + d] || b[d] >= a[at + rank + d]) {
        return false;
      }
    }
    return true;
  }

  private static int[] found(BoxTree tree, long[][] boxes, long[] query, int rank) {
    IntStream.Builder found = IntStream.builder();
    tree.search((at, offset) -> overlap(at, offset, query, rank), reader(boxes), found::add);
    return found.build().sorted().toArray();
  }

  private static BoxTree.Boxes reader(long[][] boxes) {
    return (item, box) -> System.arraycopy(boxes[item], 0, box, 0, box.length);
  }

  @Test
  void a_search_finds_exactly_the_boxes_that_a_linear_search_finds() {
    Random random = new Random(11);
    for (int round = 0; round < 300; round++) {
      int rank = 1 + random.nextInt(4);
      int count = random.nextInt(round < 30 ? 3 : 700);
      long size = random.nextBoolean() ? 30 : Long.MAX_VALUE / 4;
      long[][] boxes = boxes(random, count, rank, size, Math.max(1, size / 9));
      int[] items = IntStream.range(0, count).toArray();
      BoxTree tree = BoxTree.of(items, rank, reader(boxes));
      for (long[] query : boxes(random, 20, rank, size, size / 5)) {
        int[] expected =
            Arrays.stream(items).filter(i -> overlap(boxes[i], 0, query, rank)).toArray();
        assertEquals(Arrays.toString(expected), Arrays.toString(found(tree, boxes, query, rank)));
      }
    }
  }

  @Test
  void a_search_in_many_tiles_in_random_order_reads_few_boxes() {
    int side = 400;
    long[][] boxes = new long[side * side][];
    for (int i = 0; i < boxes.length; i++) {
      int x = i % side;
      int y = i / side;
      boxes[i] = new long[] {x * 10L, y * 7L, x * 10L + 10, y * 7L + 7};
    }
    Collections.shuffle(Arrays.asList(boxes), new Random(3));
    BoxTree tree = BoxTree.of(IntStream.range(0, boxes.length).toArray(), 2, reader(boxes));
    long[] query = {1234, 999, 1235, 1000};
    int[] read = {0};
    int[] found = {0};
    tree.search(
        (at, offset) -> overlap(at, offset, query, 2),
        (item, box) -> {
          read[0]++;
          reader(boxes).read(item, box);
        },
        _ -> found[0]++);
    assertEquals(1, found[0]);
    assertTrue(read[0] <= 64, "boxes read: " + read[0]);
  }
}
