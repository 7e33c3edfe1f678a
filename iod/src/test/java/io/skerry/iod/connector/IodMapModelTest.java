package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.ShardMap;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares maps with sorted maps of the keys' stored bytes, in random programs. */
class IodMapModelTest {
  private static final int STEPS = 400;

  @TempDir Path folder;

  /** A type of keys: values and their stored bytes. */
  private enum KeyType {
    TEXT(VariableLength.string(CharacterSet.UTF8)) {
      @Override
      Value value(SplittableRandom random) {
        String digits = Integer.toString(random.nextInt(300), 3);
        String accent = random.nextBoolean() ? "\u00e9" : "";
        return new Value.Text(digits.substring(random.nextInt(digits.length() + 1)) + accent);
      }

      @Override
      byte[] stored(Value value) {
        String text = ((Value.Text) value).value();
        return text.isEmpty() ? new byte[1] : text.getBytes(StandardCharsets.UTF_8);
      }
    },
    INTEGER(Datatype.I32) {
      @Override
      Value value(SplittableRandom random) {
        return new Value.Whole(BigInteger.valueOf(random.nextInt(-150, 150)));
      }

      @Override
      byte[] stored(Value value) {
        return ByteBuffer.allocate(4)
            .order(ByteOrder.LITTLE_ENDIAN)
            .putInt(((Value.Whole) value).value().intValueExact())
            .array();
      }
    },
    OPAQUE(new Opaque(2, "")) {
      @Override
      Value value(SplittableRandom random) {
        byte[] bytes = {(byte) random.nextInt(-8, 8), (byte) random.nextInt(-8, 8)};
        return new Value.Opaque(Bytes.of(MemorySegment.ofArray(bytes)), "");
      }

      @Override
      byte[] stored(Value value) {
        return ((Value.Opaque) value).bytes().segment().toArray(ValueLayout.JAVA_BYTE);
      }
    };

    private final Datatype type;

    KeyType(Datatype type) {
      this.type = type;
    }

    abstract Value value(SplittableRandom random);

    abstract byte[] stored(Value value);
  }

  /** The pairs of a map, in the order of their stored keys. */
  private static TreeMap<byte[], Map.Entry<Value, Value>> model() {
    return new TreeMap<>(Arrays::compareUnsigned);
  }

  /** A random program on one map. */
  private static final class Program {
    private final Path path;
    private final KeyType keys;
    private final IodConnector connector;
    private final ShardMap shards;
    private final SplittableRandom random;
    private TreeMap<byte[], Map.Entry<Value, Value>> model = model();
    private TreeMap<byte[], Map.Entry<Value, Value>> flushed = model();
    private H5File file;
    private MapObject map;
    private int texts;

    Program(Path path, KeyType keys, int shards, long seed) {
      this.path = path;
      this.keys = keys;
      this.connector =
          new IodConnector(
              new ContainerSettings(shards, ChecksumLevel.STORE, EngineOptions.DEFAULT));
      this.shards = new ShardMap(shards);
      this.random = new SplittableRandom(seed);
      this.file = open(FileAccess.CREATE);
      this.map = file.createMap("/map", keys.type, VariableLength.string(CharacterSet.UTF8));
      file.flush();
    }

    private H5File open(FileAccess access) {
      return Connectors.open(connector, path, access, Communicator.self(), FileOptions.standard());
    }

    void run() {
      try {
        for (int i = 0; i < STEPS; i++) {
          step();
        }
        checkOrder();
      } finally {
        file.close();
      }
      try (H5File read = open(FileAccess.READ)) {
        map = read.map("/map");
        checkOrder();
      }
      VerifyingConnector.verify(path);
    }

    private Value text() {
      texts++;
      return new Value.Text("value " + texts + "x".repeat(random.nextInt(3) * 1500));
    }

    private void put(Value key, Value value) {
      model.put(keys.stored(key), Map.entry(key, value));
    }

    private void step() {
      switch (random.nextInt(24)) {
        case 0 -> flush();
        case 1 -> reopen();
        case 2 -> discard();
        case 3 -> replace();
        case 4, 5 -> putMany();
        case 6, 7 -> checkOrder();
        case 8, 9 -> resume();
        case 10, 11, 12 -> {
          Value key = keys.value(random);
          boolean isPresent = Optional.ofNullable(model.remove(keys.stored(key))).isPresent();
          assertEquals(isPresent, map.remove(key), "remove " + key);
        }
        case 13, 14, 15, 16 -> {
          Value key = keys.value(random);
          Optional<Value> expected =
              Optional.ofNullable(model.get(keys.stored(key))).map(Map.Entry::getValue);
          assertEquals(expected, map.get(key), "get " + key);
          assertEquals(expected.isPresent(), map.contains(key), "contains " + key);
        }
        case 17 -> assertEquals(model.size(), map.size(), "size");
        default -> {
          Value key = keys.value(random);
          Value value = text();
          map.put(key, value);
          put(key, value);
        }
      }
    }

    private void flush() {
      file.flush();
      flushed = copy(model);
    }

    private static TreeMap<byte[], Map.Entry<Value, Value>> copy(
        TreeMap<byte[], Map.Entry<Value, Value>> pairs) {
      return new TreeMap<>(pairs);
    }

    private void putMany() {
      Map<Value, Value> pairs = new LinkedHashMap<>();
      for (int i = random.nextInt(60); i > 0; i--) {
        pairs.put(keys.value(random), text());
      }
      map.putAll(pairs);
      pairs.forEach(this::put);
    }

    private void reopen() {
      file.close();
      flushed = copy(model);
      file = open(FileAccess.WRITE);
      map = file.map("/map");
    }

    private void discard() {
      file.discard();
      model = copy(flushed);
      file = open(FileAccess.WRITE);
      map = file.map("/map");
    }

    private void replace() {
      if (random.nextInt(4) == 0) {
        file.unlink("/map");
        map = file.createMap("/map", keys.type, VariableLength.string(CharacterSet.UTF8));
        model = model();
      }
    }

    /** Returns the pairs in the order of iteration: by shard, then by stored key. */
    private List<Map.Entry<Value, Value>> expected() {
      Group.Hard link = (Group.Hard) map.file().root().links().getFirst();
      long object = ObjectAddress.decode(link.address()).bits();
      return model.entrySet().stream()
          .sorted(
              Comparator.comparingInt(pair ->
                  shards.shardOf(
                      new Place.Pair(object, Bytes.of(MemorySegment.ofArray(pair.getKey()))))))
          .map(Map.Entry::getValue)
          .toList();
    }

    private void checkOrder() {
      List<Map.Entry<Value, Value>> found = new ArrayList<>();
      assertEquals(
          Optional.empty(),
          map.iteratePairs(
              Optional.empty(),
              (key, value) -> {
                found.add(Map.entry(key, value));
                return MapObject.Next.CONTINUE;
              }));
      assertEquals(expected(), found);
    }

    /** Visits the keys with stops, and with changes of visited keys in between. */
    private void resume() {
      List<Value> expected = expected().stream().map(Map.Entry::getKey).toList();
      List<Value> found = new ArrayList<>();
      Optional<MapObject.Position> position = Optional.empty();
      do {
        int end = found.size() + random.nextInt(1, 20);
        position =
            map.iterateKeys(
                position,
                key -> {
                  found.add(key);
                  return found.size() == end ? MapObject.Next.STOP : MapObject.Next.CONTINUE;
                });
        if (!found.isEmpty()) {
          Value key = found.getLast();
          map.remove(key);
          model.remove(keys.stored(key));
        }
      } while (position.isPresent());
      assertEquals(expected, found, "keys of a resumed iteration");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "TEXT, 1, 1",
    "TEXT, 3, 2",
    "INTEGER, 1, 3",
    "INTEGER, 2, 4",
    "OPAQUE, 1, 5",
    "OPAQUE, 4, 6"
  })
  void random_programs_agree_with_a_sorted_map(KeyType keys, int shards, long seed) {
    new Program(folder.resolve("run"), keys, shards, seed).run();
  }
}
