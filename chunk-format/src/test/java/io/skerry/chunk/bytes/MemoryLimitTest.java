package io.skerry.chunk.bytes;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.MemoryLimitException;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

class MemoryLimitTest {
  @Test
  void a_size_beyond_the_maximum_heap_is_refused_with_the_limit() {
    MemoryLimitException refusal =
        assertThrows(
            MemoryLimitException.class,
            () -> MemoryLimit.require(MemoryLimit.heap() / 4 + 1, 4, () -> "an array of /d"));
    assertEquals(MemoryLimit.heap(), refusal.limit());
    assertEquals("-Xmx", refusal.option());
    assertTrue(refusal.getMessage().contains("for=an array of /d bytes=" + refusal.bytes()));
    MemoryLimit.require(MemoryLimit.heap() / 4, 4, () -> "an array of /d");
  }

  @Test
  void a_size_beyond_2_to_the_63_is_refused_too() {
    MemoryLimitException refusal =
        assertThrows(
            MemoryLimitException.class,
            () -> MemoryLimit.require(Long.MAX_VALUE, Long.MAX_VALUE, () -> "a request"));
    assertEquals(Long.MAX_VALUE, refusal.bytes());
  }

  @Test
  void a_size_beyond_the_free_heap_is_refused() {
    OutOfMemoryError shortage = new OutOfMemoryError("Java heap space");
    MemoryLimitException refusal =
        assertThrows(
            MemoryLimitException.class,
            () ->
                MemoryLimit.make(
                    3,
                    8,
                    () -> "an array",
                    () -> {
                      throw shortage;
                    }));
    assertEquals(24, refusal.bytes());
    assertEquals(shortage, refusal.getCause());
  }

  @Test
  void a_size_beyond_the_native_memory_is_refused_with_the_option() {
    try (Arena arena = Arena.ofConfined()) {
      for (long bytes : new long[] {1L << 50, 1L << 60}) {
        MemoryLimitException refusal =
            assertThrows(
                MemoryLimitException.class, () -> UninitializedMemory.allocate(arena, bytes));
        assertEquals(bytes, refusal.bytes());
        assertEquals("-XX:MaxDirectMemorySize", refusal.option());
      }
      assertEquals(16, MemoryLimit.outsideHeap(arena, 16, 8).byteSize());
    }
  }

  @Test
  void names_from_a_file_are_escaped() {
    MemoryLimitException refusal =
        assertThrows(
            MemoryLimitException.class,
            () -> MemoryLimit.require(Long.MAX_VALUE, 1, () -> "an array of /a\u001b[2J"));
    assertTrue(refusal.getMessage().chars().noneMatch(Character::isISOControl));
  }

  @Test
  void a_refusal_of_native_memory_contains_the_limit_that_the_jvm_states() {
    String reason =
        "Cannot reserve 4096 bytes of direct buffer memory (allocated: 1044480, limit: 1048576)";
    assertEquals(1_048_576, MemoryLimit.nativeRefusal(4096, reason).limit());
    assertEquals(
        Runtime.getRuntime().maxMemory(), MemoryLimit.nativeRefusal(4096, "malloc").limit());
  }
}
