package io.skerry.iod.connector.tile;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.iod.engine.Changes;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

class TileMemoryTest {
  private static final long SIZE = 4 << 20;

  @Test
  void memory_is_used_again_but_not_by_two_at_the_same_time() {
    TileMemory memory = new TileMemory();
    long first;
    try (TileMemory.Use one = memory.use();
        TileMemory.Use other = memory.use()) {
      first = one.allocate(SIZE).address();
      assertNotEquals(first, other.allocate(SIZE).address());
    }
    try (TileMemory.Use again = memory.use()) {
      MemorySegment smaller = again.allocate(SIZE - 12);
      assertEquals(SIZE - 12, smaller.byteSize());
      assertEquals(SIZE, again.allocate(SIZE).byteSize());
    }
  }

  @Test
  void small_and_very_large_memory_is_not_kept() {
    TileMemory memory = new TileMemory();
    MemorySegment small;
    MemorySegment large;
    try (TileMemory.Use use = memory.use()) {
      small = use.allocate(100);
      large = use.allocate(40 << 20);
      assertTrue(small.scope().isAlive());
    }
    assertFalse(small.scope().isAlive());
    assertFalse(large.scope().isAlive());
  }

  /** A failure after which a transport still uses the memory. */
  private static final class Held extends RuntimeException implements Changes.HoldsMemory {
    private static final long serialVersionUID = 1L;
  }

  @Test
  void memory_is_released_with_the_file_unless_a_transport_still_uses_it() {
    MemorySegment given;
    MemorySegment used;
    MemorySegment held;
    TileMemory.Use use;
    try (TileMemory memory = new TileMemory()) {
      try (TileMemory.Use first = memory.use();
          TileMemory.Use second = memory.use()) {
        given = first.allocate(SIZE);
        held = second.allocate(SIZE);
        assertThrows(
            Held.class,
            () ->
                second.using(() -> {
                  throw new Held();
                }));
      }
      try (TileMemory.Use again = memory.use()) {
        assertEquals(given.address(), again.allocate(SIZE).address());
      }
      assertTrue(given.scope().isAlive());
      use = memory.use();
      used = use.allocate(2 * SIZE);
    }
    assertTrue(used.scope().isAlive());
    use.close();
    assertFalse(used.scope().isAlive());
    assertFalse(given.scope().isAlive());
    assertTrue(held.scope().isAlive());
  }
}
