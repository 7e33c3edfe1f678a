package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.format.Bytes;
import io.skerry.iod.connector.tile.CellTiles;
import io.skerry.iod.connector.value.ObjectAddress;
import io.skerry.iod.engine.Container;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.EngineLocation;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.engine.Engines;
import io.skerry.iod.engine.Opening;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.iod.object.KeyValue;
import io.skerry.iod.object.KeyValueObject;
import io.skerry.iod.object.KeyValueWriter;
import io.skerry.iod.object.ObjectId;
import io.skerry.iod.object.ObjectStore;
import io.skerry.iod.object.TestContainers;
import io.skerry.iod.object.check.ContainerVerifier;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.testkit.connector.MapConformance;
import io.skerry.value.Value;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Tests maps in containers: conformance, stored bytes and damage. */
class IodMapsTest {
  private static final VariableLength TEXT = VariableLength.string(CharacterSet.UTF8);

  @TempDir Path folder;
  private ContainerFixture container;

  @BeforeEach
  void setUp() {
    container = new ContainerFixture(folder.resolve("run"), 1);
  }

  @TestFactory
  Stream<DynamicTest> the_connector_passes_the_suite_for_maps() {
    return Stream.of(1, 3).flatMap(IodMapsTest::cases);
  }

  private static Stream<DynamicTest> cases(int shards) {
    ContainerSettings settings =
        new ContainerSettings(shards, ChecksumLevel.STORE, EngineOptions.DEFAULT);
    return new MapConformance(new VerifyingConnector(new IodConnector(settings)))
        .cases().stream()
            .map(test ->
                DynamicTest.dynamicTest(
                    test.name() + " in " + shards + " shards",
                    () -> LocalRanks.run(1, test.body())));
  }

  private static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private static Value text(String text) {
    return new Value.Text(text);
  }

  private static ObjectId id(H5File file, String name) {
    return file.root().links().stream()
        .filter(link -> link.name().equals(name))
        .map(link -> ObjectAddress.decode(((Group.Hard) link).address()))
        .findFirst()
        .orElseThrow();
  }

  /** Opens the closed container, whose shards are all served. */
  private <T> T onContainer(Function<Container, T> use) {
    EngineLocation location = new EngineLocation("iod", container.path().toString());
    try (Container open = Engines.of(location).open(location, Opening.writing())) {
      open.recover();
      return use.apply(open);
    }
  }

  private void damage(Consumer<Container> damage) {
    boolean unused =
        onContainer(open -> {
          damage.accept(open);
          return true;
        });
  }

  private List<String> stored(ObjectId map) {
    return onContainer(open -> {
      KeyValueObject pairs = new KeyValueObject(map, TestContainers.values(open));
      List<String> lines = new ArrayList<>();
      Optional<Bytes> last = Optional.empty();
      boolean isLast = false;
      while (!isLast) {
        Page<KeyValue> page = pairs.pairs(last, PageLimit.DEFAULT, Arena.ofAuto());
        page.items().forEach(pair -> lines.add(pair.key() + " " + Bytes.of(pair.value())));
        isLast = page.isLast();
        last = isLast ? last : Optional.of(page.items().getLast().key());
      }
      lines.sort(null);
      return lines;
    });
  }

  @Test
  void pairs_are_stored_as_the_bytes_of_their_datatypes() {
    List<ObjectId> ids = new ArrayList<>();
    Compound gap =
        new Compound(
            6,
            List.of(
                new Compound.Member("a", 0, Datatype.U8),
                new Compound.Member("b", 4, Datatype.U16)));
    container.create(
        file -> {
          file.createMap("/texts", TEXT, TEXT)
              .putAll(Map.of(text(""), text(""), text("ab"), text("c")));
          file.createMap("/integers", Datatype.I32, VariableLength.sequence(Datatype.U16))
              .put(whole(-2), new Value.Sequence(List.of(whole(1), whole(258))));
          file.createMap("/fixed", StringType.of(4), new Opaque(2, "t"))
              .put(
                  text("ab"),
                  new Value.Opaque(Bytes.of(MemorySegment.ofArray(new byte[] {5, 6})), "t"));
          file.createMap("/gaps", gap, Datatype.U8)
              .putAll(
                  gap,
                  MemorySegment.ofArray(new byte[] {1, 9, 9, 9, 2, 0, 1, 8, 8, 8, 2, 0}),
                  Datatype.U8,
                  MemorySegment.ofArray(new byte[] {3, 4}));
          for (String name : List.of("texts", "integers", "fixed", "gaps")) {
            ids.add(id(file, name));
          }
        },
        file -> assertEquals(1, file.map("/gaps").size(), "keys that differ in the gap"));
    assertEquals(List.of("00 ", "6162 63"), stored(ids.get(0)));
    assertEquals(List.of("feffffff 01000201"), stored(ids.get(1)));
    assertEquals(List.of("61620000 0506"), stored(ids.get(2)));
    assertEquals(List.of("010000000200 04"), stored(ids.get(3)));
  }

  @Test
  void floating_point_keys_are_compared_as_bits() {
    int[] bits = {0, 0x80000000, 0x7fc00000, 0x7fc00001, 0xffc00000, 0x7f800001, 0x3f800000};
    container.create(
        file -> {
          MapObject map = file.createMap("/m", Datatype.F32, Datatype.I32);
          for (int i = 0; i < bits.length; i++) {
            map.putAll(
                Datatype.F32,
                MemorySegment.ofArray(new int[] {bits[i]}),
                Datatype.I32,
                MemorySegment.ofArray(new int[] {i}));
          }
          map.put(new Value.Real(1.0, 53), whole(77));
        },
        file -> {
          MapObject map = file.map("/m");
          assertEquals(bits.length, map.size());
          for (int i = 0; i < bits.length - 1; i++) {
            MemorySegment key = MemorySegment.ofArray(new int[] {bits[i]});
            assertEquals(
                i,
                map.get(Datatype.F32, key, Datatype.I32)
                    .orElseThrow()
                    .get(ValueLayout.JAVA_INT_UNALIGNED, 0));
          }
          assertEquals(Optional.of(whole(1)), map.get(new Value.Real(-0.0, 24)));
          assertEquals(Optional.of(whole(0)), map.get(new Value.Real(0.0, 24)));
          assertEquals(Optional.of(whole(77)), map.get(new Value.Real(1.0, 24)));
          assertEquals(Optional.of(77), map.typed(Float.class, Integer.class).get(1.0f));
        });
  }

  @Test
  void typed_views_convert_to_objects_of_java() {
    container.create(
        file -> {
          file.createMap("/doubles", Datatype.F32, Datatype.F64)
              .typed(Double.class, Double.class)
              .put(0.1, 0.1);
          file.createMap("/bytes", new Opaque(2, ""), Datatype.U64)
              .typed(byte[].class, Long.class)
              .put(new byte[] {1, 2}, 1L << 40);
        },
        file -> {
          MapObject doubles = file.map("/doubles");
          assertEquals(Optional.of(0.1), doubles.typed(Float.class, Double.class).get(0.1f));
          assertThrows(
              ArithmeticException.class, () -> doubles.typed(Float.class, Float.class).get(0.1f));
          MapObject bytes = file.map("/bytes");
          assertEquals(
              Optional.of(1L << 40), bytes.typed(byte[].class, Long.class).get(new byte[] {1, 2}));
          assertThrows(
              ArithmeticException.class,
              () -> bytes.typed(byte[].class, Integer.class).get(new byte[] {1, 2}));
          var unused =
              bytes
                  .typed(byte[].class, Long.class)
                  .iterateKeys(
                      Optional.empty(),
                      key -> {
                        assertArrayEquals(new byte[] {1, 2}, key);
                        return MapObject.Next.STOP;
                      });
          assertThrows(IllegalArgumentException.class, () -> bytes.typed(String.class, Long.class));
          assertThrows(
              IllegalArgumentException.class, () -> bytes.typed(byte[].class, Short.class));
        });
  }

  @Test
  void a_refused_map_leaves_nothing_behind() {
    container.create(
        file -> {
          var e =
              assertThrows(
                  CollectiveException.class,
                  () ->
                      file.createMap(
                          "/new/map",
                          new Compound(16, List.of(new Compound.Member("text", 0, TEXT))),
                          Datatype.I32));
          assertInstanceOf(UnsupportedFeatureException.class, e.getCause());
          assertTrue(e.getMessage().contains("keys of a map"), e.getMessage());
          assertTrue(e.getMessage().contains("/new/map"), e.getMessage());
          assertThrows(
              CollectiveException.class,
              () -> file.createMap("/new/map", new Opaque(65_536, ""), Datatype.I32));
          file.createMap("/longest", new Opaque(65_535, ""), Datatype.I32);
        },
        file -> assertEquals(1, file.root().links().size()));
  }

  @Test
  void changes_while_pairs_are_visited_do_not_disturb_the_visit() {
    container.create(
        file -> {
          MapObject.Typed<Integer, Integer> map =
              file.createMap("/m", Datatype.I32, Datatype.I32).typed(Integer.class, Integer.class);
          for (int i = 0; i < 10_000; i++) {
            map.put(i, i);
          }
          List<Integer> visited = new ArrayList<>();
          var unused =
              map.iteratePairs(
                  Optional.empty(),
                  (key, value) -> {
                    visited.add(key);
                    assertTrue(map.remove(key), "present");
                    map.put(key, value);
                    if (key % 1000 == 0) {
                      file.flush();
                    }
                    return MapObject.Next.CONTINUE;
                  });
          assertEquals(10_000, visited.stream().distinct().count());
          assertEquals(10_000, visited.size());
        },
        file -> assertEquals(10_000, file.map("/m").size()));
  }

  @Test
  void a_position_outlives_its_pair_and_the_open_file() {
    List<Integer> visited = new ArrayList<>();
    MapObject.KeyVisitor<Integer> three =
        key -> {
          visited.add(key);
          return visited.size() % 3 == 0 ? MapObject.Next.STOP : MapObject.Next.CONTINUE;
        };
    Optional<MapObject.Position> position;
    try (H5File file = container.open(FileAccess.CREATE)) {
      var map =
          file.createMap("/m", Datatype.I32, Datatype.I32).typed(Integer.class, Integer.class);
      for (int i = 0; i < 7; i++) {
        map.put(i, i);
      }
      position = map.iterateKeys(Optional.empty(), three);
      assertTrue(map.remove(visited.getLast()), "present");
    }
    while (position.isPresent()) {
      try (H5File file = container.open(FileAccess.READ)) {
        position = file.map("/m").typed(Integer.class, Integer.class).iterateKeys(position, three);
      }
    }
    assertEquals(7, visited.stream().distinct().count());
    assertEquals(7, visited.size());
  }

  private String damaged(Runnable read) {
    return assertThrows(FormatException.class, read::run).getMessage();
  }

  private void assertNames(String message, String... parts) {
    for (String part : parts) {
      assertTrue(message.contains(part), message);
    }
    assertTrue(message.contains(container.path().toString()), message);
  }

  private List<String> findings() {
    return onContainer(open -> {
      List<String> lines = new ArrayList<>();
      long unused =
          ContainerVerifier.verify(open, open.readableMark(), new CellTiles(), lines::add);
      return lines;
    });
  }

  @Test
  void a_pair_of_a_wrong_size_is_reported_with_file_object_and_key() {
    List<ObjectId> ids = new ArrayList<>();
    container.create(
        file -> {
          file.createMap("/group/map", Datatype.I32, Datatype.I32).put(whole(1), whole(2));
          file.createHardLink("/map", "/group/map");
          ids.add(id(file, "map"));
        },
        file -> {});
    ObjectId map = ids.getFirst();
    damage(open ->
        TestContainers.commit(
            open,
            changes -> {
              KeyValueWriter pairs = new KeyValueWriter(map, changes);
              pairs.put(Bytes.of(MemorySegment.ofArray(new int[] {7})), bytes(3));
              pairs.put(Bytes.of(bytes(5)), bytes(4));
            }));
    try (H5File file = container.open(FileAccess.READ)) {
      MapObject found = file.map("/group/map");
      assertNames(
          damaged(() -> found.get(whole(7))),
          "bytes of a value: expected=4 actual=3",
          map.toString(),
          "07000000",
          "/group/map");
      assertEquals(Optional.of(whole(2)), found.get(whole(1)));
      assertNames(
          damaged(() -> {
            var unused = found.iterateKeys(Optional.empty(), _ -> MapObject.Next.CONTINUE);
          }),
          "bytes of a key: expected=4 actual=5",
          "0000000000",
          "/group/map");
    }
    List<String> lines = findings();
    assertEquals(2, lines.size(), lines.toString());
    assertTrue(
        lines.stream().anyMatch(l -> l.contains("bytes of a value") && l.contains("07000000")),
        lines.toString());
    assertTrue(
        lines.stream().anyMatch(l -> l.contains("bytes of a key: expected=4 actual=5")),
        lines.toString());
  }

  private static MemorySegment bytes(int size) {
    return MemorySegment.ofArray(new byte[size]);
  }

  @Test
  void a_flipped_bit_is_reported_with_file_object_and_key() {
    List<ObjectId> ids = new ArrayList<>();
    container.create(
        file -> {
          file.createMap("/map", Datatype.I32, TEXT).put(whole(1), text("value"));
          ids.add(id(file, "map"));
        },
        file -> {});
    Place place =
        new Place.Pair(ids.getFirst().bits(), Bytes.of(MemorySegment.ofArray(new int[] {1})));
    damage(open -> {
      int number = ObjectStore.of(open, ChecksumLevel.STORE).shardMap().shardOf(place);
      long mark = open.readableMark();
      byte[] raw =
          open.shard(number)
              .get(place, mark, Arena.ofAuto())
              .orElseThrow()
              .toArray(ValueLayout.JAVA_BYTE);
      raw[2] ^= 1;
      try (var changes = open.shard(number).change(mark + 1)) {
        changes.put(place, MemorySegment.ofArray(raw));
        changes.prepare(Durability.BUFFERED);
      }
      assertTrue(open.advance(mark, mark + 1));
    });
    try (H5File file = container.open(FileAccess.READ)) {
      MapObject map = file.map("/map");
      String key = HexFormat.of().formatHex(new byte[] {1, 0, 0, 0});
      assertNames(damaged(() -> map.get(whole(1))), "checksum", key, "/map");
      assertNames(
          damaged(() -> {
            var unused = map.iteratePairs(Optional.empty(), (_, _) -> MapObject.Next.CONTINUE);
          }),
          "checksum",
          key,
          "/map");
      assertEquals(1, map.size());
    }
  }

  @Test
  void damaged_content_of_a_variable_length_part_is_reported() {
    Compound type = new Compound(16, List.of(new Compound.Member("text", 0, TEXT)));
    List<ObjectId> ids = new ArrayList<>();
    container.create(
        file -> {
          file.createMap("/map", Datatype.U8, type);
          ids.add(id(file, "map"));
        },
        file -> {});
    byte[] descriptor = new byte[20];
    descriptor[0] = 100;
    descriptor[4] = 1;
    damage(open ->
        TestContainers.commit(
            open,
            changes ->
                new KeyValueWriter(ids.getFirst(), changes)
                    .put(Bytes.of(bytes(1)), MemorySegment.ofArray(descriptor))));
    try (H5File file = container.open(FileAccess.READ)) {
      MapObject map = file.map("/map");
      assertNames(damaged(() -> map.get(whole(0))), ids.getFirst().toString(), "/map");
    }
  }

  @Test
  void two_names_of_a_map_lead_to_the_same_pairs() {
    container.create(
        file -> {
          MapObject one = file.createMap("/one", TEXT, TEXT);
          file.createHardLink("/two", "/one");
          MapObject two = file.map("/two");
          one.put(text("a"), text("b"));
          assertEquals(Optional.of(text("b")), two.get(text("a")));
          file.unlink("/one");
          two.put(text("c"), text("d"));
          assertEquals(2, one.size(), "the object still exists");
        },
        file -> assertEquals(2, file.map("/two").size()));
  }
}
