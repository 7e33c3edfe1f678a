package io.skerry.format.block;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecentBlocksTest {
  /** A reference to a block. */
  private record Key(long address, int level) {}

  private final List<Key> loaded = new ArrayList<>();

  private String get(RecentBlocks<Key, String> blocks, long address, int level) {
    Key key = new Key(address, level);
    return blocks.get(
        key,
        10,
        () -> {
          loaded.add(key);
          return key.toString();
        });
  }

  /** Without the second check, a block that refers to itself as its child would cause a cycle. */
  @Test
  void a_block_that_is_referred_to_from_another_level_is_checked_again() {
    RecentBlocks<Key, String> blocks = new RecentBlocks<>(100);
    assertEquals("Key[address=8, level=2]", get(blocks, 8, 2));
    assertEquals("Key[address=8, level=1]", get(blocks, 8, 1));
    assertEquals("Key[address=8, level=2]", get(blocks, 8, 2));
    assertEquals(List.of(new Key(8, 2), new Key(8, 1)), loaded);
  }

  @Test
  void the_least_recently_used_blocks_are_evicted() {
    RecentBlocks<Key, String> blocks = new RecentBlocks<>(20);
    for (long address : new long[] {1, 2, 1, 3, 1, 2}) {
      String unused = get(blocks, address, 0);
    }
    assertEquals(List.of(new Key(1, 0), new Key(2, 0), new Key(3, 0), new Key(2, 0)), loaded);
  }

  @Test
  void a_forgotten_block_is_loaded_again_and_no_longer_counts() {
    RecentBlocks<Key, String> blocks = new RecentBlocks<>(20);
    for (long address : new long[] {1, 2}) {
      String unused = get(blocks, address, 0);
    }
    blocks.forget(new Key(1, 0));
    blocks.forget(new Key(9, 0));
    for (long address : new long[] {3, 2, 1}) {
      String unused = get(blocks, address, 0);
    }
    assertEquals(List.of(new Key(1, 0), new Key(2, 0), new Key(3, 0), new Key(1, 0)), loaded);
  }
}
