package io.skerry.iod.engine.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.ContainerException;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Part;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tests that every storage engine has to pass. */
// Longer than other classes, since an engine inherits all tests from one class.
public abstract class EngineConformance {
  private static final long OBJECT = 5;

  /** Returns the engine. */
  protected abstract EngineProvider engine();

  /** Returns a location at which there is nothing yet, the same one for the same name. */
  protected abstract EngineLocation location(String name);

  private static Place pair(String key) {
    return new Place.Pair(
        OBJECT, Bytes.of(MemorySegment.ofArray(key.getBytes(StandardCharsets.ISO_8859_1))));
  }

  private static MemorySegment value(String text) {
    return MemorySegment.ofArray(text.getBytes(StandardCharsets.ISO_8859_1));
  }

  private static Optional<String> text(Shard shard, Place place, long transaction) {
    return shard
        .get(place, transaction, Arena.ofAuto())
        .map(v -> new String(v.toArray(ValueLayout.JAVA_BYTE), StandardCharsets.ISO_8859_1));
  }

  private Container created(String name, int shards) {
    engine().create(location(name), shards);
    var container = engine().open(location(name), Opening.writing());
    assertEquals(0, container.recover());
    return container;
  }

  private static void put(Shard shard, long transaction, Place place, String value) {
    try (var changes = shard.change(transaction)) {
      changes.put(place, value(value));
      changes.prepare(Durability.SYNCED);
    }
  }

  private static void reason(ContainerException.Reason reason, Runnable call) {
    var e = assertThrows(ContainerException.class, call::run);
    assertEquals(reason, e.reason(), e.getMessage());
    assertTrue(e.getMessage().contains("expected="), e.getMessage());
    assertTrue(e.getMessage().contains("actual="), e.getMessage());
    assertTrue(e.getMessage().contains(e.path()), e.getMessage());
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6})
  void random_programs_do_what_the_model_does(long seed) {
    new RandomProgram(engine(), location("random" + seed), seed, 1 + (int) (seed % 3)).run(120);
  }

  @Test
  void the_engine_is_found_by_its_scheme() {
    assertEquals(engine().getClass(), Engines.of(location("any")).getClass());
    var unknown = new EngineLocation("unknown", "x");
    var e = assertThrows(IllegalArgumentException.class, () -> Engines.of(unknown));
    assertTrue(e.getMessage().contains(engine().scheme()), e.getMessage());
  }

  @Test
  void a_container_keeps_its_properties() {
    var info = engine().create(location("kept"), 3);
    assertEquals(3, info.shards());
    assertEquals(info, engine().info(location("kept")));
    try (var container = engine().open(location("kept"), Opening.reading())) {
      assertEquals(info, container.info());
      assertEquals(Set.of(0, 1, 2), container.served());
      assertEquals(0, container.readableMark());
      assertEquals(location("kept"), container.location());
    }
    engine().remove(location("kept"));
    reason(ContainerException.Reason.MISSING, () -> engine().info(location("kept")));
  }

  @Test
  void a_location_is_used_once() {
    engine().create(location("twice"), 1);
    reason(ContainerException.Reason.EXISTS, () -> engine().create(location("twice"), 1));
    assertThrows(IllegalArgumentException.class, () -> engine().create(location("none"), 0));
  }

  @Test
  void a_container_gets_another_name() {
    var old = location("old");
    var other = engine().beside(old, ".other");
    assertFalse(engine().isTaken(old));
    try (var container = created("old", 2)) {
      put(container.shard(1), 1, pair("a"), "x".repeat(10_000));
      assertTrue(container.advance(0, 1));
    }
    assertTrue(engine().isTaken(old));
    assertFalse(engine().isTaken(other));
    engine().move(old, other);
    assertFalse(engine().isTaken(old));
    assertTrue(engine().bytes(other) >= 10_000);
    reason(ContainerException.Reason.MISSING, () -> engine().move(old, other));
    reason(ContainerException.Reason.MISSING, () -> engine().bytes(old));
    created("old", 1).close();
    reason(ContainerException.Reason.EXISTS, () -> engine().move(old, other));
    try (var container = engine().open(other, Opening.reading())) {
      assertEquals(Optional.of("x".repeat(10_000)), text(container.shard(1), pair("a"), 1));
    }
    engine().remove(other);
    assertFalse(engine().isTaken(other));
    assertTrue(engine().isTaken(old));
  }

  @Test
  void the_size_of_a_container_includes_pairs_and_scratch_pads() {
    int count = 300;
    byte[] random = new byte[1000];
    new Random(1).nextBytes(random);
    MemorySegment large = MemorySegment.ofArray(random);
    try (var container = created("size", 2)) {
      long empty = engine().bytes(location("size"));
      assertTrue(empty > 0, "empty=" + empty);
      for (int number = 0; number < 2; number++) {
        try (var changes = container.shard(number).change(1)) {
          for (int n = 0; n < count; n++) {
            changes.put(pair("key " + n), large.asSlice(0, random.length - n));
            changes.put(new Place.ScratchPad(OBJECT + n), large.asSlice(n, 40));
          }
          changes.prepare(Durability.SYNCED);
        }
      }
      assertTrue(container.advance(0, 1));
      long expected = 2 * (count * (1000L + 40) - count * (count - 1L) / 2);
      long actual = engine().bytes(location("size")) - empty;
      assertTrue(actual >= expected && actual < 3 * expected, expected + " " + actual);
    }
  }

  @Test
  void a_missing_container_is_reported() {
    var nowhere = location("nowhere");
    reason(ContainerException.Reason.MISSING, () -> engine().open(nowhere, Opening.reading()));
    reason(ContainerException.Reason.MISSING, () -> engine().open(nowhere, Opening.writing()));
    reason(ContainerException.Reason.MISSING, () -> engine().remove(nowhere));
  }

  @Test
  void a_second_writer_is_refused_and_other_containers_are_not() {
    try (var first = created("first", 2);
        var second = created("second", 1)) {
      reason(
          ContainerException.Reason.IN_USE,
          () -> engine().open(location("first"), Opening.writing()));
      reason(ContainerException.Reason.IN_USE, () -> engine().remove(location("first")));
      put(first.shard(1), 1, pair("a"), "first");
      put(second.shard(0), 1, pair("a"), "second");
      assertEquals(Optional.of("first"), text(first.shard(1), pair("a"), 1));
      assertEquals(Optional.of("second"), text(second.shard(0), pair("a"), 1));
    }
  }

  @Test
  void several_openers_share_the_shards_of_a_container() {
    engine().create(location("shared"), 3);
    var left = Opening.writing().ofShards(Set.of(0, 1));
    var right = Opening.writing().ofShards(Set.of(2));
    try (var one = engine().open(location("shared"), left);
        var two = engine().open(location("shared"), right)) {
      assertEquals(Set.of(2), two.served());
      assertThrows(IllegalArgumentException.class, () -> two.shard(0));
      one.recover();
      two.shard(2).recover(one.readableMark());
      put(two.shard(2), 1, pair("a"), "x");
      put(one.shard(0), 1, pair("a"), "y");
      assertTrue(one.advance(0, 1));
      two.snapshots().prepare("s", 1);
      reason(ContainerException.Reason.NO_SNAPSHOT, () -> one.snapshots().complete("s", 1));
      one.snapshots().prepare("s", 1);
      one.snapshots().complete("s", 1);
    }
    try (var snapshot = engine().open(location("shared"), Opening.ofSnapshot("s"))) {
      assertEquals(1, snapshot.readableMark());
      assertEquals(Optional.of("x"), text(snapshot.shard(2), pair("a"), 1));
    }
    var none = Opening.reading().ofShards(Set.of(3));
    assertThrows(IllegalArgumentException.class, () -> engine().open(location("shared"), none));
  }

  @Test
  void a_transaction_above_the_mark_is_dropped_at_the_next_opening() {
    try (var container = created("dropped", 1)) {
      put(container.shard(0), 1, pair("a"), "kept");
      assertTrue(container.advance(0, 1));
      put(container.shard(0), 2, pair("a"), "lost");
      put(container.shard(0), 9, new Place.Tile(1, 1), "x".repeat(10_000));
    }
    try (var container = engine().open(location("dropped"), Opening.writing())) {
      var shard = container.shard(0);
      assertThrows(IllegalStateException.class, () -> shard.change(2));
      assertThrows(IllegalArgumentException.class, () -> shard.recover(0));
      assertEquals(1, container.recover());
      assertThrows(IllegalStateException.class, () -> shard.recover(1));
      assertEquals(List.of(1L), shard.transactions());
      assertEquals(Optional.of("kept"), text(shard, pair("a"), Long.MAX_VALUE));
      assertEquals(1, shard.history(Optional.empty(), PageLimit.DEFAULT).items().size());
    }
  }

  @Test
  void numbers_of_transactions_are_checked() {
    try (var container = created("numbers", 1)) {
      var shard = container.shard(0);
      put(shard, 3, pair("a"), "3");
      assertThrows(IllegalStateException.class, () -> shard.change(3));
      assertThrows(IllegalArgumentException.class, () -> shard.change(0));
      assertTrue(container.advance(0, 3));
      assertFalse(container.advance(0, 4));
      assertThrows(IllegalArgumentException.class, () -> container.advance(3, 2));
      assertThrows(IllegalArgumentException.class, () -> shard.change(2));
      assertThrows(IllegalArgumentException.class, () -> shard.abort(3));
      put(shard, Long.MAX_VALUE, pair("a"), "last");
      assertEquals(Optional.of("3"), text(shard, pair("a"), Long.MAX_VALUE - 1));
      assertEquals(Optional.of("last"), text(shard, pair("a"), Long.MAX_VALUE));
      shard.abort(Long.MAX_VALUE);
      assertEquals(Optional.of("3"), text(shard, pair("a"), Long.MAX_VALUE));
      shard.purge(3);
      assertThrows(PurgedException.class, () -> text(shard, pair("a"), 2));
    }
  }

  @Test
  void readers_cannot_change_a_container() {
    try (var container = created("readers", 1)) {
      put(container.shard(0), 1, pair("a"), "1");
      assertTrue(container.advance(0, 1));
    }
    try (var container = engine().open(location("readers"), Opening.reading())) {
      var shard = container.shard(0);
      assertEquals(Optional.of("1"), text(shard, pair("a"), 1));
      assertThrows(IllegalStateException.class, container::recover);
      assertThrows(IllegalStateException.class, () -> shard.change(2));
      assertThrows(IllegalStateException.class, () -> shard.purge(1));
      assertThrows(IllegalStateException.class, () -> container.advance(1, 2));
      assertThrows(IllegalStateException.class, () -> container.snapshots().take("s", 1));
    }
  }

  @Test
  void large_values_are_read_as_written() {
    int size = 4 << 20;
    try (var container = created("large", 1);
        var arena = Arena.ofConfined()) {
      var shard = container.shard(0);
      try (var changes = shard.change(1)) {
        for (int n = 0; n < 5; n++) {
          changes.put(new Place.Tile(1, n), arena.allocate(size).fill((byte) n));
        }
        changes.put(new Place.Tile(1, 0), arena.allocate(9 << 20).fill((byte) 9));
        changes.put(new Place.Tile(1, 1), value("small now"));
        changes.remove(new Place.Tile(1, 2));
        changes.prepare(Durability.SYNCED);
      }
      assertEquals(
          OptionalLong.of(9 << 20), shard.find(new Place.Tile(1, 0), 1).orElseThrow().size());
      assertEquals(Optional.of("small now"), text(shard, new Place.Tile(1, 1), 1));
      assertEquals(Optional.empty(), text(shard, new Place.Tile(1, 2), 1));
      var expected = arena.allocate(size).fill((byte) 3);
      var read = shard.get(new Place.Tile(1, 3), 1, arena).orElseThrow();
      assertEquals(-1, expected.mismatch(read));
      shard.verify(finding -> {
        throw new AssertionError(finding);
      });
      shard.abort(1);
      assertTrue(shard.history(Optional.empty(), PageLimit.DEFAULT).items().isEmpty());
      shard.verify(finding -> {
        throw new AssertionError(finding);
      });
    }
  }

  @Test
  void flushed_changes_are_read_at_their_transaction_and_can_be_aborted() {
    var tile = new Place.Tile(1, 1);
    try (var container = created("flushed", 1)) {
      var shard = container.shard(0);
      try (var changes = shard.change(1)) {
        changes.flush();
        changes.put(pair("a"), value("1"));
        changes.put(tile, value("x".repeat(10_000)));
        changes.flush();
        assertEquals(Optional.of("1"), text(shard, pair("a"), 1));
        assertEquals(Optional.of("x".repeat(10_000)), text(shard, tile, 1));
        assertEquals(Optional.empty(), text(shard, pair("a"), 0));
        changes.remove(pair("a"));
        changes.put(tile, value("small"));
        changes.flush();
        changes.flush();
        assertEquals(Optional.empty(), text(shard, pair("a"), 1));
        assertEquals(Optional.of("small"), text(shard, tile, 1));
      }
      assertTrue(shard.history(Optional.empty(), PageLimit.DEFAULT).items().isEmpty());
      shard.verify(finding -> {
        throw new AssertionError(finding);
      });
    }
  }

  @Test
  void a_transaction_of_many_pairs_is_aborted_and_purged_as_a_whole() {
    try (var container = created("many", 1)) {
      var shard = container.shard(0);
      for (long transaction = 1; transaction <= 3; transaction++) {
        try (var changes = shard.change(transaction)) {
          for (int n = 0; n < 10_000; n++) {
            changes.put(pair("key " + n), value(transaction + " " + n));
          }
          changes.prepare(Durability.BUFFERED);
        }
      }
      shard.persist();
      shard.abort(3);
      assertTrue(container.advance(0, 2));
      shard.purge(2);
      assertEquals(List.of(), shard.transactions());
      var all = new ArrayList<Version>();
      var range = Range.all(OBJECT, Part.PAIR);
      for (var page = shard.list(range, 2, PageLimit.DEFAULT);
          all.addAll(page.items()) && !page.isLast();
          page = shard.list(range, 2, PageLimit.DEFAULT)) {
        range = Range.after(page.items().getLast().place());
      }
      assertEquals(10_000, all.size());
      assertTrue(all.stream().allMatch(version -> version.transaction() == 2));
      shard.verify(finding -> {
        throw new AssertionError(finding);
      });
    }
  }

  @Test
  void snapshots_keep_what_is_purged() {
    try (var container = created("snapshots", 2)) {
      var shard = container.shard(1);
      put(shard, 1, pair("a"), "1");
      assertTrue(container.advance(0, 1));
      put(shard, 2, pair("a"), "2");
      container.snapshots().take("first", 1);
      assertTrue(container.advance(1, 2));
      shard.purge(2);
      assertThrows(PurgedException.class, () -> container.snapshots().take("late", 1));
      container.snapshots().take("second", 2);
      reason(ContainerException.Reason.EXISTS, () -> container.snapshots().take("second", 2));
      assertEquals(List.of("first", "second"), container.snapshots().names());
      try (var snapshot = engine().open(location("snapshots"), Opening.ofSnapshot("first"))) {
        assertEquals(Optional.of("1"), text(snapshot.shard(1), pair("a"), 1));
        assertEquals(1, snapshot.readableMark());
      }
      container.snapshots().delete("first");
      container.snapshots().delete("late");
      reason(ContainerException.Reason.NO_SNAPSHOT, () -> container.snapshots().delete("first"));
      reason(
          ContainerException.Reason.NO_SNAPSHOT,
          () -> engine().open(location("snapshots"), Opening.ofSnapshot("first")));
      for (var name : List.of("", ".", "..", "a/b", "-a", "a b")) {
        assertThrows(IllegalArgumentException.class, () -> container.snapshots().take(name, 2));
      }
      assertEquals(List.of("second"), container.snapshots().names());
    }
  }

  @Test
  void everything_is_refused_after_closing() {
    var container = created("closed", 1);
    var shard = container.shard(0);
    put(shard, 1, pair("a"), "1");
    var changes = shard.change(2);
    changes.put(pair("b"), value("2"));
    container.close();
    container.close();
    List<Runnable> calls =
        List.of(
            () -> changes.put(pair("c"), value("3")),
            changes::flush,
            () -> changes.prepare(Durability.SYNCED),
            () -> text(shard, pair("a"), 1),
            () -> shard.find(pair("a"), 1),
            () -> shard.list(Range.all(OBJECT, Part.PAIR), 1, PageLimit.DEFAULT),
            () -> shard.history(Optional.empty(), PageLimit.DEFAULT),
            () -> shard.change(3),
            () -> shard.abort(2),
            () -> shard.purge(1),
            () -> shard.verify(_ -> {}),
            shard::persist,
            shard::transactions,
            () -> container.advance(0, 1),
            container::readableMark,
            () -> container.snapshots().take("s", 0));
    calls.forEach(call -> assertThrows(IllegalStateException.class, call::run));
    changes.close();
  }

  @Test
  void closing_beside_other_threads_gives_them_an_exception() throws Exception {
    for (int round = 0; round < 3; round++) {
      var container = created("racing" + round, 1);
      var shard = container.shard(0);
      put(shard, 1, pair("a"), "1");
      var next = new AtomicLong(1);
      List<Callable<String>> racers =
          List.of(
              () -> text(shard, pair("a"), 1).orElseThrow(),
              () ->
                  shard.list(Range.all(OBJECT, Part.PAIR), 9, PageLimit.DEFAULT).items().toString(),
              () -> shard.history(Optional.empty(), PageLimit.DEFAULT).items().toString(),
              () -> {
                long transaction = next.incrementAndGet();
                put(shard, transaction, new Place.Tile(1, 1), "x".repeat(5000));
                shard.abort(transaction);
                return "";
              });
      try (var threads = Executors.newFixedThreadPool(racers.size())) {
        var results = new ArrayList<Future<String>>();
        for (var racer : racers) {
          results.add(threads.submit(() -> untilClosed(racer)));
        }
        Thread.sleep(150);
        container.close();
        for (var result : results) {
          assertEquals("closed", result.get());
        }
      }
    }
  }

  private static String untilClosed(Callable<String> racer) throws Exception {
    while (true) {
      try {
        assertTrue(racer.call() != null);
      } catch (IllegalStateException e) {
        return "closed";
      }
    }
  }

  @Test
  void a_reader_beside_a_writer_sees_exactly_its_transaction() throws Exception {
    int places = 20;
    int transactions = 60;
    try (var container = created("beside", 1);
        var threads = Executors.newFixedThreadPool(3)) {
      var shard = container.shard(0);
      var readable = new AtomicLong();
      var results = new ArrayList<Future<Long>>();
      for (int n = 0; n < 2; n++) {
        results.add(threads.submit(() -> readBeside(shard, readable, places, transactions)));
      }
      for (long transaction = 1; transaction <= transactions; transaction++) {
        try (var changes = shard.change(transaction)) {
          for (int n = 0; n < places; n++) {
            changes.put(new Place.Tile(1, n), number(transaction, n % 2 == 0 ? 8 : 20_000));
          }
          changes.prepare(Durability.BUFFERED);
        }
        shard.persist();
        assertTrue(container.advance(transaction - 1, transaction));
        readable.set(transaction);
        if (transaction % 7 == 0) {
          shard.purge(transaction - 3);
        }
      }
      for (var result : results) {
        assertTrue(result.get() > 0);
      }
    }
  }

  private static MemorySegment number(long number, int size) {
    var value = MemorySegment.ofArray(new byte[size]);
    value.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, number);
    return value;
  }

  private static long readBeside(Shard shard, AtomicLong readable, int places, long last) {
    long reads = 0;
    while (readable.get() < last) {
      long at = readable.get();
      if (at == 0) {
        continue;
      }
      try (var arena = Arena.ofConfined()) {
        var entries = shard.scan(Range.all(1, Part.TILE), at, PageLimit.DEFAULT, arena).items();
        assertEquals(places, entries.size());
        for (var entry : entries) {
          assertEquals(at, entry.value().get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        }
        var value = shard.get(new Place.Tile(1, 1), at, arena).orElseThrow();
        assertEquals(at, value.get(ValueLayout.JAVA_LONG_UNALIGNED, 0));
        reads++;
      } catch (PurgedException e) {
        assertTrue(at < shard.oldest());
      }
    }
    return reads;
  }

  @Test
  void tiles_that_are_read_in_any_order_are_those_of_the_transaction() {
    long tiles = 200;
    long transactions = 5;
    Random random = new Random(7);
    List<Map<Long, String>> expected = new ArrayList<>(List.of(Map.of()));
    try (var container = created("tiles", 1)) {
      for (long transaction = 1; transaction <= transactions; transaction++) {
        Map<Long, String> after = new HashMap<>(expected.getLast());
        try (var changes = container.shard(0).change(transaction)) {
          for (long number = 0; number < tiles; number += 1 + random.nextInt(4)) {
            Place place = new Place.Tile(OBJECT, number);
            if (random.nextInt(4) == 0) {
              changes.remove(place);
              after.remove(number);
            } else {
              String text = transaction + "/" + number + "x".repeat(random.nextInt(2) * 5000);
              changes.put(place, value(text));
              after.put(number, text);
            }
          }
          changes.prepare(Durability.SYNCED);
        }
        expected.add(after);
      }
      assertTrue(container.advance(0, transactions));
      try (var reader = engine().open(location("tiles"), Opening.reading())) {
        for (int transaction = 0; transaction <= transactions; transaction++) {
          for (long number = 0; number < tiles + 9; number++) {
            assertTile(reader.shard(0), number, transaction, expected.get(transaction));
          }
        }
        container.shard(0).purge(3);
        for (int i = 0; i < 1000; i++) {
          int transaction = random.nextInt(6);
          long number = random.nextLong(tiles);
          try {
            assertTile(reader.shard(0), number, transaction, expected.get(transaction));
          } catch (PurgedException e) {
            assertTrue(transaction < 3, "transaction: " + transaction);
          }
        }
      }
    }
  }

  private static void assertTile(
      Shard shard, long number, long transaction, Map<Long, String> expected) {
    assertEquals(
        Optional.ofNullable(expected.get(number)),
        text(shard, new Place.Tile(OBJECT, number), transaction),
        () -> "tile " + number + " at " + transaction);
  }

  @Test
  void limits_of_keys_and_values_are_checked() {
    var longest = new byte[Place.LONGEST_KEY];
    var key = new Place.Pair(1, Bytes.of(MemorySegment.ofArray(longest)));
    try (var container = created("limits", 1)) {
      put(container.shard(0), 1, key, "zeros");
      assertEquals(Optional.of("zeros"), text(container.shard(0), key, 1));
      var listed = container.shard(0).list(Range.all(1, Part.PAIR), 1, PageLimit.DEFAULT).items();
      assertEquals(key, listed.getFirst().place());
      try (var changes = container.shard(0).change(2)) {
        var huge = MemorySegment.NULL.reinterpret(Changes.LARGEST_VALUE + 1);
        assertThrows(IllegalArgumentException.class, () -> changes.put(key, huge));
      }
    }
    var tooLong = Bytes.of(MemorySegment.ofArray(new byte[Place.LONGEST_KEY + 1]));
    assertThrows(IllegalArgumentException.class, () -> new Place.Pair(1, tooLong));
    assertArrayEquals(new byte[0], Bytes.EMPTY.segment().toArray(ValueLayout.JAVA_BYTE));
  }
}
