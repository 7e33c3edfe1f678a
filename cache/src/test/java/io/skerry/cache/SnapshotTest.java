package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.Desk;
import io.skerry.cache.request.Longs;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.Test;

/**
 * Tests that a read from memory without a ticket returns a state that the whole dataset had at one
 * moment.
 */
class SnapshotTest {
  private static final int WRITES = Boolean.getBoolean("skerry.thorough") ? 1500 : 500;
  private static final int CHUNKS = 12;

  /** All columns except the edges, so that each write depends on the previous version. */
  private static final Selection MIDDLE = Selection.at(0, 1).extent(CHUNKS * 2, 2);

  private static Longs ample(Desk desk, ChunkFormat format) {
    Longs data = desk.open(1, format, Shape.of(CHUNKS * 2, 4));
    data.write(Selection.all(), 1);
    return data;
  }

  private static void whileWriting(Desk desk, LongConsumer write, Runnable look) {
    AtomicBoolean done = new AtomicBoolean();
    List<Task<Boolean>> readers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      readers.add(
          Task.run(() -> {
            while (!done.get()) {
              look.run();
            }
          }));
    }
    for (long i = 0; i < WRITES && readers.stream().noneMatch(Task::isDone); i++) {
      write.accept(i);
      // Leaves moments without a writer, in which reads need no ticket.
      Thread.yield();
    }
    done.set(true);
    readers.forEach(Task::get);
    desk.check();
  }

  @Test
  void a_read_sees_a_write_as_a_whole_or_not_at_all() {
    try (Desk desk = new Desk(CacheOptions.standard())) {
      Longs data = ample(desk, Desk.dense(2, 4));
      whileWriting(
          desk,
          value -> data.write(MIDDLE, value + 2),
          () -> {
            long[] seen = data.read(MIDDLE);
            for (long value : seen) {
              assertEquals(seen[0], value, "half of a write");
            }
          });
      assertEquals(0, desk.statistics().loads());
    }
  }

  @Test
  void a_query_of_defined_elements_sees_a_write_as_a_whole_or_not_at_all() {
    try (Desk desk = new Desk(CacheOptions.standard())) {
      Longs data = ample(desk, Desk.sparse(2, 4));
      whileWriting(
          desk,
          value -> {
            if (value % 2 == 0) {
              data.erase(MIDDLE);
            } else {
              data.write(MIDDLE, value);
            }
          },
          () -> {
            boolean[] seen = data.defined(MIDDLE);
            for (boolean value : seen) {
              assertEquals(seen[0], value, "half of a write");
            }
          });
    }
  }

  @Test
  void a_peek_sees_one_version() {
    try (Desk desk = new Desk(CacheOptions.standard())) {
      Longs data = ample(desk, Desk.dense(2, 4));
      AtomicBoolean seenSome = new AtomicBoolean();
      whileWriting(
          desk,
          value -> data.write(Selection.all(), value + 2),
          () ->
              data.peek(3, 0)
                  .ifPresent(seen -> {
                    seenSome.set(true);
                    for (long value : seen) {
                      assertEquals(seen[0], value, "two versions");
                    }
                  }));
      assertTrue(seenSome.get());
    }
  }

  @Test
  void a_peek_of_several_chunks_sees_a_write_as_a_whole_or_not_at_all() {
    try (Desk desk = new Desk(CacheOptions.standard())) {
      Longs data = ample(desk, Desk.dense(2, 4));
      AtomicBoolean seenSome = new AtomicBoolean();
      whileWriting(
          desk,
          value -> data.write(MIDDLE, value + 2),
          () ->
              data.peek(Selection.at(3, 1).extent(2, 2))
                  .ifPresent(seen -> {
                    seenSome.set(true);
                    for (long value : seen) {
                      assertEquals(seen[0], value, "half of a write");
                    }
                  }));
      assertTrue(seenSome.get());
    }
  }

  @Test
  void a_peek_of_several_chunks_returns_all_or_none() {
    try (Desk desk = new Desk(CacheOptions.standard().withPolicy(EvictionPolicy.LRU))) {
      Longs data = ample(desk, Desk.dense(2, 4));
      Selection block = Selection.at(5, 1).extent(2, 3);
      assertArrayEquals(new long[] {1, 1, 1, 1, 1, 1}, data.peek(block).orElseThrow());
      data.write(Selection.at(6, 2), 9);
      long hits = desk.statistics().hits();
      assertArrayEquals(new long[] {1, 1, 1, 1, 9, 1}, data.peek(block).orElseThrow());
      assertEquals(hits + 2, desk.statistics().hits());
      desk.cache().configure(Desk.plain(1, 1));
      desk.cache().configure(CacheOptions.standard().withPolicy(EvictionPolicy.LRU));
      assertTrue(data.peek(block).isEmpty());
      assertEquals(hits + 2, desk.statistics().hits());
    }
  }
}
