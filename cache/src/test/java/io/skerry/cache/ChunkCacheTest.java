package io.skerry.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.chunk.MemoryChunk;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ChunkCacheTest {
  private record Version(long bytes, long definedCount) implements MemoryChunk {}

  private static ChunkKey key(long position) {
    return ChunkKey.of(48, position);
  }

  @Test
  void the_least_recently_used_clean_copy_goes_first() {
    ChunkCache cache = new ChunkCache(100);
    cache.putClean(key(1), new Version(40, 1));
    cache.putClean(key(2), new Version(40, 1));
    cache.find(key(1));
    cache.putClean(key(3), new Version(40, 1));
    assertTrue(cache.find(key(1)).isPresent());
    assertEquals(Optional.empty(), cache.find(key(2)));
    assertTrue(cache.find(key(3)).isPresent());
    assertEquals(80, cache.cleanBytes());
  }

  @Test
  void a_dirty_version_is_never_displaced_by_what_the_file_holds() {
    ChunkCache cache = new ChunkCache(100);
    Version dirty = new Version(1000, 1);
    cache.putDirty(key(1), dirty);
    cache.putClean(key(1), new Version(10, 1));
    for (int i = 2; i < 50; i++) {
      cache.putClean(key(i), new Version(60, 1));
    }
    assertSame(dirty, cache.find(key(1)).orElseThrow());
    assertEquals(1000, cache.dirtyBytes());
  }

  @Test
  void stored_versions_become_clean_copies_except_erased_ones() {
    ChunkCache cache = new ChunkCache(100);
    cache.putDirty(key(1), new Version(10, 5));
    cache.putDirty(key(2), new Version(10, 0));
    cache.allStored();
    assertTrue(cache.find(key(1)).isPresent());
    assertEquals(Optional.empty(), cache.find(key(2)));
    assertEquals(0, cache.dirtyBytes());
    assertTrue(cache.dirtyChunks().isEmpty());
  }

  @Test
  void stale_copies_of_one_dataset_are_forgotten_and_those_just_stored_kept() {
    ChunkCache cache = new ChunkCache(100);
    cache.putClean(key(1), new Version(10, 1));
    cache.putClean(key(2), new Version(10, 1));
    ChunkKey other = ChunkKey.of(96, 1);
    cache.putClean(other, new Version(10, 1));
    cache.forgetClean(48, Set.of(key(2)));
    assertEquals(Optional.empty(), cache.find(key(1)));
    assertTrue(cache.find(key(2)).isPresent() && cache.find(other).isPresent());
    assertEquals(20, cache.cleanBytes());
  }

  @Test
  void byte_counts_follow_any_sequence_of_changes() {
    for (int seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      ChunkCache cache = new ChunkCache(200);
      Map<ChunkKey, Version> dirty = new HashMap<>();
      LinkedHashMap<ChunkKey, Version> clean = new LinkedHashMap<>(16, 0.75f, true);
      for (int step = 0; step < 200; step++) {
        ChunkKey key = key(random.nextInt(10));
        Version version = new Version(random.nextInt(90), random.nextInt(2));
        switch (random.nextInt(4)) {
          case 0 -> {
            cache.putDirty(key, version);
            dirty.put(key, version);
            clean.remove(key);
          }
          case 1 -> {
            cache.putClean(key, version);
            if (!dirty.containsKey(key)) {
              clean.remove(key);
              clean.put(key, version);
              evict(clean);
            }
          }
          case 2 -> {
            Optional<MemoryChunk> found = cache.find(key);
            Version expected = dirty.containsKey(key) ? dirty.get(key) : clean.get(key);
            assertEquals(Optional.ofNullable(expected), found, "seed " + seed);
          }
          default -> {
            cache.forgetClean(48, Set.of());
            clean.clear();
          }
        }
        assertEquals(sum(dirty), cache.dirtyBytes(), "seed " + seed);
        assertEquals(sum(clean), cache.cleanBytes(), "seed " + seed);
        assertTrue(cache.cleanBytes() <= 200);
      }
    }
  }

  private static void evict(LinkedHashMap<ChunkKey, Version> clean) {
    var oldest = clean.entrySet().iterator();
    long bytes = sum(clean);
    while (bytes > 200) {
      bytes -= oldest.next().getValue().bytes();
      oldest.remove();
    }
  }

  private static long sum(Map<ChunkKey, Version> versions) {
    return versions.values().stream().mapToLong(Version::bytes).sum();
  }
}
