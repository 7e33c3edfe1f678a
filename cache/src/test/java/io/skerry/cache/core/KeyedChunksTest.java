package io.skerry.cache.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.api.ChunkKey;
import io.skerry.cache.api.Desk;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.chunk.dataspace.RunSet;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.chunk.format.MemoryChunk;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class KeyedChunksTest {
  private static final ChunkFormat FORMAT = Desk.sparse(8);

  private static MemoryChunk chunk(long value) {
    return FORMAT.write(
        FORMAT.newChunk(), RunSet.range(2, 3), MemorySegment.ofArray(new long[] {value}));
  }

  private static Desk ample() {
    return new Desk(Desk.plain(1 << 20, 1 << 20));
  }

  @Test
  void a_version_stays_until_all_versions_are_stored() {
    try (Desk desk = ample()) {
      Longs data = desk.row(1, FORMAT, 4);
      ChunkKey key = data.key(1);
      MemoryChunk version = chunk(5);
      desk.cache().keyed().putUnstored(key, version);
      assertSame(version, desk.cache().keyed().find(key).orElseThrow());
      assertSame(version, desk.cache().keyed().unstored(key).orElseThrow());
      assertSame(version, desk.cache().keyed().unstored().get(key));
      // An older copy of the stored version does not replace the unstored one.
      desk.cache().keyed().putStored(key, chunk(4));
      desk.cache().keyed().forgetStored(key);
      desk.cache().keyed().forgetStored(1, Set.of());
      assertSame(version, desk.cache().keyed().find(key).orElseThrow());
      assertTrue(desk.cache().keyed().encode(key).isPresent());
      desk.cache().keyed().allStored();
      assertEquals(Optional.empty(), desk.cache().keyed().unstored(key));
      assertEquals(0, desk.cache().keyed().unstoredBytes());
      assertSame(version, desk.cache().keyed().find(key).orElseThrow());
      assertThrows(IllegalStateException.class, () -> desk.cache().keyed().encode(key));
      desk.check();
    }
  }

  @Test
  void a_copy_of_a_stored_chunk_is_kept_and_removed() {
    try (Desk desk = ample()) {
      Longs data = desk.row(1, FORMAT, 4);
      desk.cache().keyed().putStored(data.key(1), chunk(5));
      desk.cache().keyed().putStored(data.key(2), chunk(6));
      assertEquals(5, data.read(Selection.at(10))[0]);
      assertEquals(0, desk.store().count(Act.LOAD));
      desk.cache().keyed().forgetStored(1, Set.of(data.key(2)));
      assertFalse(data.isHeld(1));
      assertTrue(data.isHeld(2));
      desk.cache().keyed().forgetStored(data.key(2));
      assertFalse(data.isHeld(2));
      assertEquals(0, desk.statistics().bytes());
      desk.check();
    }
  }

  @Test
  void a_known_section_is_replaced_and_removed() {
    try (Desk desk = ample()) {
      Longs data = desk.row(1, FORMAT, 4);
      data.defined(Selection.all());
      desk.cache().keyed().putStored(data.key(0), chunk(1));
      desk.cache().keyed().putUnstored(data.key(1), chunk(1));
      assertTrue(data.isHeld(0) && data.isHeld(1));
      desk.cache().keyed().forgetStored(data.key(2));
      assertEquals(3, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void an_empty_chunk_is_removed_when_it_is_stored() {
    try (Desk desk = ample()) {
      Longs data = desk.row(1, FORMAT, 4);
      data.write(Selection.at(3), 1);
      desk.flush();
      data.erase(Selection.at(3));
      assertTrue(desk.cache().keyed().unstoredBytes() > 0);
      assertEquals(Optional.empty(), desk.cache().keyed().encode(data.key(0)));
      desk.flush();
      assertEquals(0, desk.statistics().chunks());
      assertFalse(desk.store().isStored(data.key(0)));
      desk.check();
    }
  }

  @Test
  void a_new_extent_removes_only_the_chunks_outside_of_it() {
    try (Desk desk = ample()) {
      Longs data = desk.row(1, FORMAT, 6);
      for (int i = 0; i < 4; i++) {
        desk.cache().keyed().putStored(data.key(i), chunk(i));
      }
      desk.cache().keyed().putUnstored(data.key(4), chunk(4));
      data.defined(data.chunk(5));
      desk.cache().keyed().reshape(1, Shape.of(20).unlimited(0));
      assertTrue(data.isHeld(0) && data.isHeld(1) && data.isHeld(2));
      assertFalse(data.isHeld(3));
      assertEquals(List.of(data.key(4)), List.copyOf(desk.cache().keyed().unstored().keySet()));
      assertEquals(4, desk.statistics().chunks());
      desk.check();
    }
  }

  @Test
  void a_dataset_that_is_not_open_is_named_in_the_exception() {
    try (Desk desk = ample()) {
      ChunkKey key = ChunkKey.of(7, 1);
      String message =
          assertThrows(RuntimeException.class, () -> desk.cache().keyed().find(key)).getMessage();
      assertTrue(message.contains(key.toString()), message);
      desk.cache().keyed().forget(7);
      desk.cache().keyed().reshape(7, Shape.of(3));
      desk.cache().keyed().forgetStored(7, Set.of());
      desk.check();
    }
  }
}
