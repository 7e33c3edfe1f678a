package io.skerry.cache.jfr;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import io.skerry.cache.CacheOptions;
import io.skerry.cache.CacheStatistics;
import io.skerry.cache.EvictionPolicy;
import io.skerry.cache.Task;
import io.skerry.cache.api.Desk;
import io.skerry.cache.api.Gate;
import io.skerry.cache.api.MemoryStore.Act;
import io.skerry.cache.request.Longs;
import io.skerry.chunk.format.ChunkFormat;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.io.IOException;
import java.lang.reflect.RecordComponent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import jdk.jfr.consumer.RecordingStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Compares the flight recorder events of a cache with its statistics. */
class CacheEventsTest {
  private static final String LOAD = "io.skerry.ChunkLoad";
  private static final String STORE = "io.skerry.ChunkStore";
  private static final String EVICTION = "io.skerry.CacheEviction";
  private static final String WAIT = "io.skerry.CacheWait";
  private static final String STATISTICS = "io.skerry.CacheStatistics";

  private static final ChunkFormat FORMAT = Desk.filtered(8);
  private static final long CHUNK = Desk.bytes(FORMAT);

  @TempDir Path folder;

  /** The events of a cache during some operations. */
  private record Taken(List<RecordedEvent> events) {
    Stream<RecordedEvent> of(String name) {
      return events.stream().filter(event -> event.getEventType().getName().equals(name));
    }

    long count(String name, Predicate<RecordedEvent> which) {
      return of(name).filter(which).count();
    }

    long sum(String name, String field) {
      return of(name).mapToLong(event -> event.getLong(field)).sum();
    }
  }

  private Taken record(Desk desk, Consumer<Desk> work) {
    Path file = folder.resolve("cache.jfr");
    try (Recording recording = new Recording()) {
      Stream.of(LOAD, STORE, EVICTION, WAIT)
          .forEach(name -> recording.enable(name).withoutThreshold());
      recording.start();
      work.accept(desk);
      desk.settle();
      recording.stop();
      recording.dump(file);
      return new Taken(
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.hasField("file"))
              .filter(event -> desk.store().name().equals(event.getString("file")))
              .toList());
    } catch (IOException e) {
      return fail(e);
    }
  }

  /**
   * Performs scans and random accesses to whole chunks and parts of chunks, with occasional
   * flushes.
   */
  private static void work(Desk desk, long seed) {
    Random random = new Random(seed);
    Longs data = desk.row(1, FORMAT, 200);
    Longs other = desk.row(2, Desk.sparse(8), 200);
    for (int step = 0; step < 600; step++) {
      Longs chosen = random.nextInt(3) == 0 ? other : data;
      int at = random.nextInt(190);
      switch (random.nextInt(8)) {
        case 0, 1 -> chosen.write(chosen.chunk(at), step);
        case 2, 3 -> chosen.write(Selection.at(8L * at + 3).extent(20), step);
        case 4 -> other.erase(other.corner(at));
        case 5 -> {
          for (int i = 0; i < 8; i++) {
            chosen.read(chosen.chunk(at + i));
            desk.settle();
          }
        }
        case 6 -> chosen.defined(Selection.at(8L * at).extent(64));
        default -> chosen.read(Selection.at(8L * at + 5).extent(30));
      }
      if (random.nextInt(100) == 0) {
        desk.flush();
      }
    }
    desk.flush();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void every_load_store_and_eviction_that_is_counted_is_recorded(long seed) {
    CacheOptions options =
        Desk.plain(40 * CHUNK, 80 * CHUNK).withPolicy(EvictionPolicy.TINY_LFU).withPrefetch(2);
    try (Desk desk = new Desk(options)) {
      Taken taken = record(desk, d -> work(d, seed));
      CacheStatistics told = desk.statistics();
      assertTrue(told.prefetched() > 0 && told.evictions() > 0 && told.loads() > 0, "" + told);
      assertEquals(told.loads(), taken.of(LOAD).count());
      assertEquals(told.loadedBytes(), taken.sum(LOAD, "bytes"));
      assertEquals(told.prefetched(), taken.count(LOAD, event -> event.getBoolean("ahead")));
      assertEquals(told.stores(), taken.of(STORE).count());
      long flushed = taken.count(STORE, event -> event.getBoolean("flush"));
      assertEquals(told.stores() - flushed, taken.sum(EVICTION, "stored"));
      assertTrue(flushed > 0 && flushed < told.stores(), "flushed=" + flushed + " " + told);
      assertEquals(told.evictions(), taken.sum(EVICTION, "evicted"));
      assertTrue(taken.sum(EVICTION, "evictedBytes") > 0);
      assertEquals(0, taken.of(WAIT).count());
      desk.check();
    }
  }

  @Test
  void a_load_names_dataset_and_chunk_and_a_hit_is_not_recorded() {
    try (Desk desk = new Desk(Desk.plain(40 * CHUNK, 80 * CHUNK))) {
      Longs data = desk.open(7, Desk.filtered(4, 4), Shape.of(40, 40));
      Taken taken =
          record(
              desk,
              d -> {
                for (int time = 0; time < 100; time++) {
                  data.read(data.chunk(3, 9));
                  assertTrue(data.peek(3, 9).isPresent());
                }
              });
      assertEquals(199, desk.statistics().hits());
      assertEquals(1, taken.events().size(), taken.toString());
      RecordedEvent load = taken.events().getFirst();
      assertEquals("/7", load.getString("dataset"));
      assertEquals(data.key(3, 9).chunk().toString(), load.getString("chunk"));
      assertEquals(desk.statistics().loadedBytes(), load.getLong("bytes"));
    }
  }

  /** Makes requests that wait while the load of chunk 0 is blocked. */
  private Taken whileLoading(CacheOptions options, Consumer<Longs> first, Consumer<Longs> second) {
    try (Desk desk = new Desk(options)) {
      Longs data = desk.row(1, FORMAT, 100);
      Gate gate = new Gate(Act.LOAD, data.key(0));
      desk.store().before(gate);
      Taken taken =
          record(
              desk,
              _ -> {
                Task<Boolean> loading = Task.run(() -> first.accept(data));
                gate.awaitReached();
                Task<Boolean> waiting = Task.run(() -> second.accept(data)).awaitStill();
                gate.open();
                loading.get();
                waiting.get();
              });
      assertEquals(
          desk.statistics().stalls(),
          taken.count(WAIT, event -> event.getString("reason").equals("memory")));
      return taken;
    }
  }

  private static void assertWaited(Taken taken, String reason, String subject) {
    List<RecordedEvent> waits =
        taken.of(WAIT).filter(event -> event.getString("reason").equals(reason)).toList();
    assertEquals(1, waits.size(), taken.toString());
    assertTrue(waits.getFirst().getString("subject").contains(subject), waits.toString());
    assertTrue(waits.getFirst().getDuration().isPositive());
  }

  @Test
  void waiting_for_an_earlier_request_is_recorded() {
    Taken taken =
        whileLoading(
            Desk.plain(40 * CHUNK, 80 * CHUNK),
            data -> data.write(data.corner(0), 1),
            data -> data.read(data.corner(0)));
    assertWaited(taken, "order", "(READ) of /1");
  }

  @Test
  void waiting_for_a_chunk_that_another_loads_is_recorded() {
    Taken taken =
        whileLoading(
            Desk.plain(40 * CHUNK, 80 * CHUNK),
            data -> data.read(data.corner(0)),
            data -> data.read(data.corner(0)));
    assertWaited(taken, "load", "/1");
  }

  @Test
  void waiting_for_memory_is_recorded() {
    Taken taken =
        whileLoading(
            Desk.plain(4 * CHUNK, 4 * CHUNK),
            data -> data.read(Selection.at(0).extent(8 * 50)),
            data -> data.read(data.corner(70)));
    assertWaited(taken, "memory", "bytes");
  }

  private static CacheStatistics statistics(RecordedEvent event) {
    try {
      RecordComponent[] components = CacheStatistics.class.getRecordComponents();
      Object[] values = new Object[components.length];
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        values[i] = event.getLong(components[i].getName());
      }
      return CacheStatistics.class.getDeclaredConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException e) {
      return fail(e);
    }
  }

  @Test
  void statistics_are_published_while_the_cache_is_open_and_when_it_is_closed()
      throws InterruptedException {
    LinkedBlockingQueue<RecordedEvent> beats = new LinkedBlockingQueue<>();
    LinkedBlockingQueue<RecordedEvent> othersBeats = new LinkedBlockingQueue<>();
    try (Desk desk = new Desk(Desk.plain(40 * CHUNK, 80 * CHUNK));
        Desk other = new Desk(Desk.plain(40 * CHUNK, 80 * CHUNK));
        RecordingStream stream = new RecordingStream()) {
      desk.cache().publishStatistics();
      stream.enable(STATISTICS).withPeriod(Duration.ofMillis(10));
      stream.setReuse(false);
      stream.onEvent(
          STATISTICS,
          event -> {
            if (desk.store().name().equals(event.getString("file"))) {
              beats.add(event);
            } else if (other.store().name().equals(event.getString("file"))) {
              othersBeats.add(event);
            }
          });
      stream.startAsync();
      assertEquals(desk.statistics(), statistics(next(beats)));
      work(desk, 4);
      desk.settle();
      CacheStatistics told = desk.statistics();
      while (!statistics(next(beats)).equals(told)) {
        assertTrue(told.loads() > 0);
      }
      desk.cache().close();
      other.cache().publishStatistics();
      next(othersBeats);
      beats.clear();
      for (int beat = 0; beat < 3; beat++) {
        next(othersBeats);
      }
      assertEquals(0, beats.size(), "a cache that is closed goes on");
      other.cache().close();
      other.cache().close();
    }
  }

  @Test
  void the_last_published_statistics_are_those_at_closing() throws IOException {
    Path file = folder.resolve("close.jfr");
    try (Desk desk = new Desk(Desk.plain(40 * CHUNK, 80 * CHUNK));
        Recording recording = new Recording()) {
      recording.enable(STATISTICS).withPeriod(Duration.ofHours(1));
      recording.start();
      desk.cache().publishStatistics();
      work(desk, 5);
      desk.settle();
      desk.cache().close();
      desk.cache().close();
      recording.stop();
      recording.dump(file);
      List<RecordedEvent> told =
          RecordingFile.readAllEvents(file).stream()
              .filter(event -> event.getEventType().getName().equals(STATISTICS))
              .filter(event -> desk.store().name().equals(event.getString("file")))
              .toList();
      assertEquals(1, told.size(), told.toString());
      assertEquals(desk.statistics(), statistics(told.getFirst()));
    }
  }

  private static RecordedEvent next(LinkedBlockingQueue<RecordedEvent> events)
      throws InterruptedException {
    RecordedEvent event = events.poll(Task.PATIENCE_SECONDS, TimeUnit.SECONDS);
    assertTrue(event != null, "nothing is published");
    return event;
  }
}
