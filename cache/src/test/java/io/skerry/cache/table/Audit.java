package io.skerry.cache.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.cache.CacheStatistics;
import io.skerry.cache.api.MemoryStore;
import io.skerry.cache.core.ChunkCache;
import io.skerry.cache.table.ChunkState.Gone;
import io.skerry.cache.table.ChunkState.Loading;
import io.skerry.cache.table.ChunkState.Unstored;
import io.skerry.cache.table.Entry.QueueStatus;
import java.util.ArrayList;
import java.util.List;

/** Checks the invariants of a cache while no thread uses it. */
public final class Audit {
  private Audit() {}

  public static void of(ChunkCache cache, MemoryStore store) {
    long bytes = 0;
    long unstored = 0;
    long chunks = 0;
    long outside = 0;
    long waiting = 0;
    for (DatasetChunks dataset : cache.datasets()) {
      String name = dataset.name();
      long own = 0;
      List<Entry> entries = new ArrayList<>();
      dataset.chunks().forEach(entries::add);
      for (Entry entry : entries) {
        ChunkState state = entry.state();
        assertTrue(
            !(state instanceof Loading) && !(state instanceof Gone),
            () -> "state of chunk " + entry.number() + " of " + name + ": " + state);
        own += entry.bytes();
        waiting += state instanceof Unstored && !store.storesAnyTime(dataset.id()) ? 1 : 0;
        unstored += state instanceof Unstored ? entry.bytes() : 0;
      }
      assertEquals(own, dataset.bytes(), "bytes of " + name);
      long inLine = entries.stream().filter(e -> e.queueStatus() != QueueStatus.OUTSIDE).count();
      assertEquals(inLine, dataset.queue().size(), "chunks in the order of " + name);
      outside += entries.size() - inLine;
      assertEquals(0, dataset.requests().unfinished(), "requests to " + name);
      assertEquals(0, dataset.requests().stamp() & 1, "stamp of " + name);
      bytes += own;
      chunks += entries.size();
    }
    long expected = cache.evictor().expected();
    assertTrue(
        expected <= outside && outside <= expected + waiting,
        "chunks in no order: " + outside + " expected: " + expected + " for others: " + waiting);
    CacheStatistics said = cache.statistics();
    assertEquals(chunks, said.chunks(), "chunks");
    assertEquals(bytes, said.bytes(), "bytes");
    assertEquals(unstored, said.unstoredBytes(), "unstored bytes");
    assertEquals(0, cache.admission().used(), "granted bytes");
    assertEquals(0, cache.admission().waiting(), "requests that wait for memory");
    assertEquals(0, cache.evictor().reserved(), "reserved bytes");
  }
}
