package io.skerry.iod.object;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random programs on key-value, array and BLOB objects, compared with plain Java collections. */
public abstract class ObjectPrograms {
  private static final int TRANSACTIONS = 12;

  /** Returns a new container that is open for writing. */
  protected abstract Container container(String name, int shards);

  /** The number of mutations of stored values. */
  protected abstract int mutations();

  private static MemorySegment bytes(byte[] bytes) {
    return MemorySegment.ofArray(bytes);
  }

  private static byte[] array(MemorySegment segment) {
    return segment.toArray(ValueLayout.JAVA_BYTE);
  }

  private static void commit(Container container, StoreChanges changes) {
    changes.prepare(Durability.BUFFERED);
    assertTrue(container.advance(container.readableMark(), changes.transaction()));
  }

  @ParameterizedTest
  @EnumSource
  void key_value_objects_do_what_maps_do(KeyPlacement placement) {
    var random = new Random(placement.ordinal());
    ObjectId id = ObjectId.ofPairs(placement, 77);
    var models = new HashMap<Long, Map<Bytes, String>>();
    Map<Bytes, String> model = new HashMap<>();
    models.put(0L, Map.of());
    try (var container = container("pairs" + placement, 3)) {
      var store = ObjectStore.of(container, ChecksumLevel.STORE);
      for (long t = 1; t <= TRANSACTIONS; t++) {
        try (var changes = store.change(t)) {
          var writer = new KeyValueWriter(id, changes);
          for (int step = 0; step < 40; step++) {
            Bytes key = key(random);
            if (random.nextInt(4) == 0) {
              writer.remove(key);
              model.remove(key);
            } else {
              byte[] value = new byte[random.nextInt(20)];
              random.nextBytes(value);
              writer.put(key, bytes(value));
              model.put(key, Arrays.toString(value));
            }
            if (step % 13 == 0) {
              compare(writer.reader(), model, random);
            }
          }
          if (t == 7) {
            writer.clear();
            model.clear();
          }
          long older = random.nextLong(t);
          compare(new KeyValueObject(id, store.at(older)), models.get(older), random);
          commit(container, changes);
        }
        models.put(t, Map.copyOf(model));
      }
      for (long t = 0; t <= TRANSACTIONS; t++) {
        compare(new KeyValueObject(id, store.at(t)), models.get(t), random);
      }
    }
  }

  private static Bytes key(Random random) {
    byte[] key = new byte[random.nextInt(3)];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (random.nextInt(6) - 2);
    }
    return Bytes.of(bytes(key));
  }

  private static void compare(KeyValueObject object, Map<Bytes, String> model, Random random) {
    var found = new HashMap<Bytes, String>();
    var order = new ArrayList<Place>();
    var limit = new PageLimit(1 + random.nextInt(5), 1 << 20);
    Optional<Bytes> after = Optional.empty();
    Page<KeyValue> page;
    do {
      page = object.pairs(after, limit, Arena.ofAuto());
      for (KeyValue pair : page.items()) {
        order.add(new Place.Pair(object.id().bits(), pair.key()));
        assertEquals(null, found.put(pair.key(), Arrays.toString(array(pair.value()))));
        after = Optional.of(pair.key());
      }
    } while (!page.isLast());
    assertEquals(model, found);
    assertEquals(model.size(), object.count());
    if (object.id().keyPlacement() == KeyPlacement.TOGETHER) {
      assertEquals(order.stream().sorted().toList(), order);
    }
    Bytes some = key(random);
    assertEquals(model.containsKey(some), object.has(some));
    assertEquals(
        Optional.ofNullable(model.get(some)),
        object.get(some, Arena.ofAuto()).map(value -> Arrays.toString(array(value))));
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void array_objects_do_what_maps_of_tiles_do(int shards) {
    var random = new Random(shards);
    ObjectId id = ObjectId.of(ObjectType.ARRAY, 5);
    var models = new HashMap<Long, Map<Long, String>>();
    var model = new TreeMap<Long, String>(Long::compareUnsigned);
    try (var container = container("tiles" + shards, shards)) {
      var store = ObjectStore.of(container, ChecksumLevel.ALL);
      for (long t = 1; t <= TRANSACTIONS; t++) {
        try (var changes = store.change(t);
            var arena = Arena.ofConfined()) {
          var writer = new ArrayWriter(id, changes);
          for (int step = 0; step < 25; step++) {
            long tile = random.nextInt(10) == 0 ? -1L - random.nextInt(3) : random.nextInt(40);
            byte[] value = new byte[random.nextInt(3) == 0 ? 5000 : random.nextInt(50)];
            random.nextBytes(value);
            switch (random.nextInt(3)) {
              case 0 -> {
                writer.remove(tile);
                model.remove(tile);
              }
              case 1 -> {
                writer.put(tile, bytes(value));
                model.put(tile, Arrays.toString(value));
              }
              default -> {
                var buffer = ValueBuffer.allocate(value.length, arena);
                buffer.bytes().copyFrom(bytes(value));
                writer.put(tile, buffer);
                model.put(tile, Arrays.toString(value));
              }
            }
          }
          compare(writer.reader(), model, random);
          commit(container, changes);
        }
        models.put(t, new TreeMap<>(model));
      }
      for (long t = 1; t <= TRANSACTIONS; t++) {
        compare(new ArrayObject(id, store.at(t)), models.get(t), random);
      }
      try (var changes = store.change(TRANSACTIONS + 1)) {
        new ArrayWriter(id, changes).clear();
        compare(new ArrayObject(id, changes), Map.of(), random);
      }
      compare(new ArrayObject(id, store.at(TRANSACTIONS + 1)), model, random);
    }
  }

  private static void compare(ArrayObject object, Map<Long, String> model, Random random) {
    var numbers = new ArrayList<Long>();
    var limit = new PageLimit(1 + random.nextInt(7), 1 << 20);
    OptionalLong after = OptionalLong.empty();
    Page<ArrayObject.Tile> page;
    do {
      page = object.tiles(after, limit);
      for (ArrayObject.Tile tile : page.items()) {
        byte[] value = array(object.get(tile.number(), Arena.ofAuto()).orElseThrow());
        assertEquals(model.get(tile.number()), Arrays.toString(value));
        assertEquals(value.length, tile.size());
        assertEquals(OptionalLong.of(value.length), object.size(tile.number()));
        numbers.add(tile.number());
        after = OptionalLong.of(tile.number());
      }
    } while (!page.isLast());
    assertEquals(List.copyOf(model.keySet()), numbers);
  }

  @Test
  void blob_objects_do_what_sequences_of_bytes_do() {
    var random = new Random(9);
    ObjectId id = ObjectId.of(ObjectType.BLOB, 5);
    var models = new HashMap<Long, byte[]>();
    byte[] model = {};
    try (var container = container("blobs", 2)) {
      var store = ObjectStore.of(container, ChecksumLevel.STORE);
      assertEquals(OptionalLong.empty(), new BlobObject(id, store.at(0)).size());
      for (long t = 1; t <= TRANSACTIONS; t++) {
        try (var changes = store.change(t)) {
          var writer = new BlobWriter(id, changes);
          for (int step = 0; step < 4; step++) {
            model = step(writer, model, random);
            compare(writer.reader(), model, random);
          }
          commit(container, changes);
        }
        models.put(t, model);
      }
      for (long t = 1; t <= TRANSACTIONS; t++) {
        compare(new BlobObject(id, store.at(t)), models.get(t), random);
      }
      try (var changes = store.change(TRANSACTIONS + 1)) {
        var writer = new BlobWriter(id, changes);
        writer.delete();
        assertEquals(OptionalLong.empty(), writer.reader().size());
        assertThrows(FormatException.class, () -> writer.reader().read(Arena.ofAuto()));
        assertThrows(IllegalArgumentException.class, () -> writer.truncate(0));
        assertThrows(IllegalArgumentException.class, () -> writer.write(1, bytes(new byte[1])));
        commit(container, changes);
      }
      for (Version version : visible(container, TRANSACTIONS + 1)) {
        throw new AssertionError("left: " + PlaceNames.of(version.place()));
      }
    }
  }

  private static byte[] step(BlobWriter writer, byte[] model, Random random) {
    int size = random.nextInt(3) == 0 ? BlobObject.BLOCK + random.nextInt(99) : random.nextInt(99);
    return switch (random.nextInt(6)) {
      case 0 -> {
        int kept = model.length == 0 ? 0 : random.nextInt(model.length + 1);
        if (writer.reader().size().isEmpty()) {
          writer.create(bytes(model));
        }
        writer.truncate(kept);
        yield Arrays.copyOf(model, kept);
      }
      case 1 -> {
        byte[] content = new byte[size];
        random.nextBytes(content);
        writer.replace(bytes(content));
        yield content;
      }
      default -> {
        int offset = random.nextBoolean() ? model.length : random.nextInt(model.length + 1);
        byte[] content = new byte[size];
        random.nextBytes(content);
        writer.write(offset, bytes(content));
        byte[] changed = Arrays.copyOf(model, Math.max(model.length, offset + size));
        System.arraycopy(content, 0, changed, offset, size);
        yield changed;
      }
    };
  }

  private static void compare(BlobObject object, byte[] model, Random random) {
    assertEquals(OptionalLong.of(model.length), object.size());
    object.requireBlocks(model.length);
    assertArrayEquals(model, array(object.read(Arena.ofAuto())));
    assertArrayEquals(model, array(object.readKnown(model.length, Arena.ofAuto())));
    int from = random.nextInt(model.length + 1);
    int length = random.nextInt(model.length - from + 1);
    assertArrayEquals(
        Arrays.copyOfRange(model, from, from + length),
        array(object.read(from, length, Arena.ofAuto())));
    assertThrows(
        IllegalArgumentException.class,
        () -> object.read(from, model.length - from + 1L, Arena.ofAuto()));
    assertThrows(FormatException.class, () -> object.readKnown(model.length + 1L, Arena.ofAuto()));
  }

  @Test
  void changes_that_are_not_prepared_vanish() {
    try (var container = container("vanish", 2)) {
      var store = ObjectStore.of(container, ChecksumLevel.STORE);
      try (var changes = store.change(1)) {
        for (int n = 0; n < 20; n++) {
          changes.put(
              new Place.Tile(ObjectId.of(ObjectType.ARRAY, n).bits(), n), bytes(new byte[9]));
        }
        assertTrue(
            changes.size(new Place.Tile(ObjectId.of(ObjectType.ARRAY, 3).bits(), 3)).isPresent());
      }
      assertEquals(List.of(), visible(container, 1));
    }
  }

  @Test
  void the_stored_form_tells_whether_there_is_a_checksum() {
    var place = new Place.ScratchPad(ObjectId.ROOT.bits());
    try (var container = container("forms", 1)) {
      for (ChecksumLevel written : ChecksumLevel.values()) {
        long t = 1 + written.ordinal();
        try (var changes = ObjectStore.of(container, written).change(t)) {
          changes.put(place, bytes(new byte[] {1, 2, 3}));
          commit(container, changes);
        }
        for (ChecksumLevel read : ChecksumLevel.values()) {
          var value = ObjectStore.of(container, read).at(t).get(place, Arena.ofAuto());
          assertArrayEquals(new byte[] {1, 2, 3}, array(value.orElseThrow()));
        }
        byte[] stored = array(container.shard(0).get(place, t, Arena.ofAuto()).orElseThrow());
        assertEquals(15, stored.length);
        stored[1] ^= 1;
        try (var changes = container.shard(0).change(99)) {
          changes.put(place, bytes(stored));
          changes.flush();
          assertEquals(
              written.isStored(), isRefused(container, place, ChecksumLevel.STORE), "" + written);
          assertEquals(false, isRefused(container, place, ChecksumLevel.OFF));
        }
      }
    }
  }

  private static boolean isRefused(Container container, Place place, ChecksumLevel level) {
    try {
      var unused = ObjectStore.of(container, level).at(99).get(place, Arena.ofAuto());
      return false;
    } catch (FormatException e) {
      assertTrue(e.getMessage().contains(PlaceNames.of(place)), e.getMessage());
      assertTrue(e.getMessage().contains(container.location().toString()), e.getMessage());
      return true;
    }
  }

  @Test
  void mutations_of_stored_values_are_found() {
    var random = new Random(4);
    try (var container = container("mutations", 2)) {
      var store = ObjectStore.of(container, ChecksumLevel.STORE);
      try (var changes = store.change(1)) {
        for (int n = 0; n < 12; n++) {
          byte[] value = new byte[1 + random.nextInt(60)];
          random.nextBytes(value);
          changes.put(new Place.ScratchPad(ObjectId.of(ObjectType.KV, n).bits()), bytes(value));
          changes.put(
              new Place.Pair(ObjectId.of(ObjectType.KV, n).bits(), key(random)), bytes(value));
          changes.put(new Place.Tile(ObjectId.of(ObjectType.ARRAY, n).bits(), n), bytes(value));
          changes.put(new Place.Block(ObjectId.of(ObjectType.BLOB, n).bits(), n), bytes(value));
        }
        commit(container, changes);
      }
      List<Version> all = visible(container, 1);
      var kinds = new ByteArrayOutputStream();
      for (int n = 0; n < mutations(); n++) {
        Place place = all.get(random.nextInt(all.size())).place();
        Shard shard = container.shard(store.shardMap().shardOf(place));
        byte[] stored = array(shard.get(place, 1, Arena.ofAuto()).orElseThrow());
        byte[] mutated = mutated(stored, container, store, all, random);
        if (!Arrays.equals(stored, mutated)) {
          try (Changes changes = shard.change(99)) {
            changes.put(place, bytes(mutated));
            changes.flush();
            assertTrue(isRefused(container, place, ChecksumLevel.STORE), PlaceNames.of(place));
            kinds.write(place.part().ordinal());
          }
        }
      }
      assertTrue(kinds.size() > mutations() * 9 / 10);
    }
  }

  private static byte[] mutated(
      byte[] stored, Container container, ObjectStore store, List<Version> all, Random random) {
    byte[] mutated = stored.clone();
    switch (random.nextInt(6)) {
      case 0 -> mutated[random.nextInt(mutated.length)] ^= (byte) (1 << random.nextInt(8));
      case 1 -> mutated[random.nextInt(mutated.length)] = (byte) random.nextInt();
      case 2 -> {
        return Arrays.copyOf(stored, random.nextInt(stored.length));
      }
      case 3 -> {
        return Arrays.copyOf(stored, stored.length + 1 + random.nextInt(20));
      }
      case 4 -> Arrays.fill(mutated, random.nextInt(mutated.length), mutated.length, (byte) 0);
      default -> {
        // The value of another place, in full.
        Place other = all.get(random.nextInt(all.size())).place();
        return array(
            container
                .shard(store.shardMap().shardOf(other))
                .get(other, 1, Arena.ofAuto())
                .orElseThrow());
      }
    }
    return mutated;
  }

  /** Returns the visible versions of all shards. */
  static List<Version> visible(Container container, long transaction) {
    var found = new ArrayList<Version>();
    for (int shard : container.served()) {
      Optional<Version> last = Optional.empty();
      Optional<Place> seen = Optional.empty();
      Page<Version> page;
      do {
        page = container.shard(shard).history(last, PageLimit.DEFAULT);
        for (Version version : page.items()) {
          if (version.transaction() <= transaction && !seen.equals(Optional.of(version.place()))) {
            seen = Optional.of(version.place());
            if (!version.isRemoved()) {
              found.add(version);
            }
          }
          last = Optional.of(version);
        }
      } while (!page.isLast());
    }
    return found;
  }
}
