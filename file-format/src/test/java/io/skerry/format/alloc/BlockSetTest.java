package io.skerry.format.alloc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.block.Block;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BlockSetTest {
  private static final Comparator<Block> ORDER = Comparator.naturalOrder();

  /** A set, and the content that it must have. */
  private record State(BlockSet set, List<Block> content) {
    void check() {
      assertEquals(content, set.list());
      assertEquals(content.stream().mapToLong(Block::length).sum(), set.bytes());
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void a_set_agrees_with_a_tree_set_and_earlier_sets_do_not_change(long seed) {
    Random random = new Random(seed);
    TreeSet<Block> model = new TreeSet<>();
    BlockSet set = BlockSet.none(ORDER);
    List<State> states = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      Block block = new Block(random.nextInt(400), 1 + random.nextInt(3));
      // Phases of growth and of removal alternate.
      boolean grows = random.nextInt(10) < (step / 250 % 2 == 0 ? 8 : 2);
      if (grows) {
        model.add(block);
        set = set.with(block);
      } else {
        model.remove(block);
        set = set.without(block);
      }
      assertTrue(set.isBalanced(), () -> "not balanced: " + model);
      long at = random.nextInt(410);
      assertEquals(
          Optional.ofNullable(model.higher(new Block(at, 1000))),
          set.first(each -> each.address() > at));
      assertEquals(
          Optional.ofNullable(model.floor(new Block(at, 1000))),
          set.last(each -> each.address() <= at));
      if (step % 50 == 0) {
        states.add(new State(set, List.copyOf(model)));
      }
    }
    states.forEach(State::check);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, -1, 7919})
  void a_set_remains_balanced_for_any_order_of_changes(int stride) {
    int count = 20_000;
    BlockSet set = BlockSet.none(ORDER);
    for (int i = 0; i < count; i++) {
      set = set.with(new Block(Math.floorMod((long) i * stride, count), 1));
      assertTrue(i % 100 != 0 || set.isBalanced(), "added: " + i);
    }
    for (int i = 0; i < count - 1; i++) {
      set = set.without(new Block(Math.floorMod((long) i * stride * 3, count), 1));
      assertTrue(i % 100 != 0 || set.isBalanced(), "removed: " + i);
    }
    assertTrue(set.isBalanced());
    assertEquals(1, set.list().size());
  }

  @Test
  void a_block_that_is_present_or_absent_already_changes_nothing() {
    BlockSet set = BlockSet.none(ORDER).with(new Block(5, 2)).with(new Block(9, 1));
    assertEquals(set.list(), set.with(new Block(5, 2)).list());
    assertEquals(set.list(), set.without(new Block(5, 1)).list());
    assertEquals(3, set.with(new Block(5, 2)).bytes());
  }
}
