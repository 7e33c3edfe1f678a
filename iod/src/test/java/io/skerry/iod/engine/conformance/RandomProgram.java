package io.skerry.iod.engine.conformance;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.format.Bytes;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.EngineProvider;
import io.skerry.iod.engine.Entry;
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
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * A random program on a container of several shards, compared with the model after each step. The
 * container is opened again from time to time, which drops what is not readable.
 */
final class RandomProgram {
  private static final int OBJECTS = 3;
  private static final byte[][] KEYS = {
    {}, {0}, {0, 0}, {0, 1}, {1}, {-1}, {0, -1}, {-1, 0}, {97}, {97, 0}, {97, 0, 98}, {97, 98}
  };

  private final EngineProvider engine;
  private final EngineLocation location;
  private final Random random;
  private final List<EngineModel> models = new ArrayList<>();
  private final Map<String, Long> snapshots = new TreeMap<>();
  private final Map<String, List<List<Version>>> snapshotContents = new HashMap<>();
  private Container container;
  private long mark;
  private long last;

  RandomProgram(EngineProvider engine, EngineLocation location, long seed, int shards) {
    this.engine = engine;
    this.location = location;
    this.random = new Random(seed);
    engine.create(location, shards);
    for (int i = 0; i < shards; i++) {
      models.add(new EngineModel());
    }
    this.container = open();
  }

  private Container open() {
    var options =
        EngineOptions.DEFAULT
            .withLargeValueBytes(1 + random.nextInt(60))
            .withWriteBufferBytes(1 << 16);
    var opened = engine.open(location, Opening.writing().with(options));
    assertEquals(mark, opened.recover());
    return opened;
  }

  void run(int steps) {
    try {
      for (int step = 0; step < steps; step++) {
        int kind = random.nextInt(20);
        switch (kind) {
          case 0 -> reopen();
          case 1, 2 -> purge();
          case 3, 4 -> abort();
          case 5, 6, 7, 8 -> advance();
          case 9 -> snapshot();
          default -> change();
        }
        compare();
      }
    } finally {
      container.close();
    }
    engine.remove(location);
  }

  private void reopen() {
    container.close();
    container = open();
    models.forEach(model -> model.dropAbove(mark));
    last = mark;
  }

  private void purge() {
    long oldest = models.getFirst().oldest();
    long to = oldest + random.nextInt((int) (mark - oldest) + 1);
    for (int i = 0; i < models.size(); i++) {
      container.shard(i).purge(to);
      models.get(i).purge(to);
    }
  }

  private void abort() {
    if (last > mark) {
      long aborted = mark + 1 + random.nextInt((int) (last - mark));
      for (int i = 0; i < models.size(); i++) {
        container.shard(i).abort(aborted);
        models.get(i).abort(aborted);
      }
    }
  }

  private void advance() {
    long next = mark + random.nextInt((int) (last - mark) + 1);
    assertTrue(!container.advance(mark + 1, mark + 2));
    for (int i = 0; i < models.size(); i++) {
      container.shard(i).persist();
    }
    assertTrue(container.advance(mark, next));
    mark = next;
    assertEquals(mark, container.readableMark());
  }

  private void snapshot() {
    if (snapshots.size() > 2) {
      var name = snapshots.keySet().iterator().next();
      container.snapshots().delete(name);
      snapshots.remove(name);
    }
    var name = "s" + random.nextInt(1000);
    if (snapshots.containsKey(name)) {
      return;
    }
    container.snapshots().take(name, mark);
    snapshots.put(name, mark);
    var contents = new ArrayList<List<Version>>();
    for (var model : models) {
      contents.add(visible(model, mark));
    }
    snapshotContents.put(name, contents);
    var open = snapshots.keySet().iterator().next();
    try (var snapshot = engine.open(location, Opening.ofSnapshot(open))) {
      assertEquals(snapshots.get(open), snapshot.readableMark());
      for (int i = 0; i < models.size(); i++) {
        var found = new ArrayList<Version>();
        for (long object = 0; object < OBJECTS; object++) {
          for (var part : Part.values()) {
            found.addAll(listed(snapshot.shard(i), object, part, snapshot.readableMark()));
          }
        }
        assertEquals(snapshotContents.get(open).get(i), found);
      }
    }
    assertEquals(List.copyOf(snapshots.keySet()), container.snapshots().names());
  }

  private static List<Version> visible(EngineModel model, long transaction) {
    var found = new ArrayList<Version>();
    for (long object = 0; object < OBJECTS; object++) {
      for (var part : Part.values()) {
        found.addAll(model.list(object, part, transaction));
      }
    }
    return found;
  }

  private void change() {
    long transaction = ++last;
    boolean isPrepared = random.nextInt(8) > 0;
    for (int i = 0; i < models.size(); i++) {
      try (var changes = container.shard(i).change(transaction)) {
        for (int n = random.nextInt(12); n > 0; n--) {
          var place = place();
          var value = random.nextInt(4) == 0 ? Optional.<byte[]>empty() : Optional.of(bytes());
          if (value.isPresent()) {
            put(changes, place, value.get());
          } else {
            changes.remove(place);
          }
          if (isPrepared) {
            models.get(i).change(place, transaction, value);
          }
        }
        if (isPrepared) {
          changes.prepare(random.nextBoolean() ? Durability.SYNCED : Durability.BUFFERED);
          assertThrows(IllegalStateException.class, () -> changes.remove(place()));
        }
      }
    }
  }

  private void put(Changes changes, Place place, byte[] value) {
    if (random.nextBoolean()) {
      changes.put(place, MemorySegment.ofArray(value));
      return;
    }
    try (var arena = Arena.ofConfined()) {
      changes.put(place, arena.allocate(value.length).copyFrom(MemorySegment.ofArray(value)));
    }
  }

  private byte[] bytes() {
    var value = new byte[random.nextInt(5) == 0 ? 0 : random.nextInt(100)];
    random.nextBytes(value);
    return value;
  }

  private Place place() {
    long object = random.nextInt(OBJECTS);
    long number = new long[] {0, 1, 255, 256, -1, Long.MIN_VALUE}[random.nextInt(6)];
    return switch (random.nextInt(6)) {
      case 0 -> new Place.ScratchPad(object);
      case 1 -> new Place.Tile(object, number);
      case 2 -> new Place.Block(object, number);
      default ->
          new Place.Pair(
              object, Bytes.of(MemorySegment.ofArray(KEYS[random.nextInt(KEYS.length)])));
    };
  }

  private void compare() {
    for (int i = 0; i < models.size(); i++) {
      compare(container.shard(i), models.get(i));
    }
  }

  private void compare(Shard shard, EngineModel model) {
    assertEquals(model.oldest(), shard.oldest());
    assertEquals(model.history(), history(shard));
    assertEquals(model.transactions(), shard.transactions());
    long at = model.oldest() + random.nextInt((int) (last - model.oldest()) + 1);
    for (long object = 0; object < OBJECTS; object++) {
      for (var part : Part.values()) {
        var expected = model.list(object, part, at);
        assertEquals(expected, listed(shard, object, part, at));
        var entries = scanned(shard, object, part, at);
        assertEquals(expected, entries.stream().map(Entry::version).toList());
        for (var entry : entries) {
          var place = entry.version().place();
          var value = model.get(place, at).orElseThrow();
          assertArrayEquals(value, entry.value().toArray(ValueLayout.JAVA_BYTE));
          assertArrayEquals(value, read(shard, place, at).orElseThrow());
        }
      }
    }
    for (int n = 0; n < 10; n++) {
      var place = place();
      assertEquals(model.get(place, at).isPresent(), read(shard, place, at).isPresent());
      assertEquals(model.get(place, at).isPresent(), shard.find(place, at).isPresent());
    }
    if (model.oldest() > 0) {
      assertThrows(PurgedException.class, () -> shard.find(place(), model.oldest() - 1));
    }
    shard.verify(finding -> {
      throw new AssertionError(finding);
    });
  }

  private Optional<byte[]> read(Shard shard, Place place, long at) {
    try (var arena = Arena.ofConfined()) {
      SegmentAllocator heap = (size, _) -> MemorySegment.ofArray(new byte[(int) size]);
      return shard
          .get(place, at, random.nextBoolean() ? arena : heap)
          .map(value -> value.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private PageLimit limit() {
    return new PageLimit(1 + random.nextInt(9), 1 + random.nextInt(500));
  }

  private List<Version> listed(Shard shard, long object, Part part, long at) {
    var found = new ArrayList<Version>();
    var range = Range.all(object, part);
    while (true) {
      var page = shard.list(range, at, limit());
      found.addAll(page.items());
      if (page.isLast()) {
        return found;
      }
      range = Range.after(page.items().getLast().place());
    }
  }

  private List<Entry> scanned(Shard shard, long object, Part part, long at) {
    var found = new ArrayList<Entry>();
    var range = Range.all(object, part);
    while (true) {
      var page = shard.scan(range, at, limit(), Arena.ofAuto());
      found.addAll(page.items());
      if (page.isLast()) {
        return found;
      }
      range = Range.after(page.items().getLast().version().place());
    }
  }

  private List<Version> history(Shard shard) {
    var found = new ArrayList<Version>();
    Optional<Version> after = Optional.empty();
    while (true) {
      var page = shard.history(after, limit());
      found.addAll(page.items());
      if (page.isLast()) {
        return found;
      }
      after = Optional.of(page.items().getLast());
    }
  }
}
