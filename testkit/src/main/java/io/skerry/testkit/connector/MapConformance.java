package io.skerry.testkit.connector;

import io.skerry.Attribute;
import io.skerry.Group;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.NoSuchObjectException;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Reference;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.Connectors;
import io.skerry.testkit.ranked.Expect;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import io.skerry.value.Value;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Conformance suite for connectors that store maps; each case runs on any number of ranks. {@link
 * MapRefusalConformance} is the suite for all other connectors.
 */
public final class MapConformance implements RankedCases {
  static final VariableLength TEXT = VariableLength.string(CharacterSet.UTF8);

  private final Connector connector;

  /** Creates the suite for a connector. */
  public MapConformance(Connector connector) {
    this.connector = connector;
  }

  /** A step that all ranks perform on a file. */
  @FunctionalInterface
  private interface Step {
    void take(H5File file, Communicator world);
  }

  /** The two steps of a case: changing a file, which is flushed, and reading it. */
  private record Story(Step writing, Step reading) {}

  @Override
  public List<RankedCase> cases() {
    return Map.ofEntries(
            Map.entry(
                "pairs_of_all_ranks_are_found_again",
                new Story(MapConformance::putPairs, MapConformance::findPairs)),
            Map.entry(
                "removed_pairs_are_gone",
                new Story(MapConformance::removePairs, MapConformance::findTheRest)),
            Map.entry(
                "an_iteration_stops_and_is_resumed",
                new Story(MapConformance::putNumbers, MapConformance::iterate)),
            Map.entry(
                "keys_and_values_of_every_kind_are_converted",
                new Story(MapKinds::put, MapKinds::find)),
            Map.entry(
                "pairs_in_memory_are_converted",
                new Story(MapConformance::putMemory, MapConformance::findMemory)),
            Map.entry(
                "a_map_is_an_object", new Story(MapConformance::makeObjects, MapConformance::find)),
            Map.entry(
                "unsupported_types_are_refused_on_all_ranks",
                new Story(MapConformance::refuse, MapConformance::findNothing)))
        .entrySet()
        .stream()
        .sorted(Map.Entry.comparingByKey())
        .map(e -> new RankedCase(e.getKey(), world -> play(world, e.getValue())))
        .toList();
  }

  private void play(Communicator world, Story story) throws IOException {
    try (SharedFolder folder = SharedFolder.create(world)) {
      Path path = folder.file("maps");
      try (H5File file = open(path, FileAccess.CREATE, world)) {
        story.writing.take(file, world);
        file.flush();
        story.reading.take(file, world);
      }
      try (H5File file = open(path, FileAccess.READ, world)) {
        story.reading.take(file, world);
        Expect.thrown(
            IllegalStateException.class,
            () -> file.createMap("/late", Datatype.I32, Datatype.I32),
            "creating while reading");
      }
      try (H5File file = open(path, FileAccess.WRITE, world)) {
        file.createMap("/lost", Datatype.I32, Datatype.I32).put(whole(1), whole(1));
        file.discard();
      }
      try (H5File file = open(path, FileAccess.READ, world)) {
        Expect.thrown(NoSuchObjectException.class, () -> file.map("/lost"), "a discarded map");
        story.reading.take(file, world);
      }
      world.barrier();
    }
  }

  private H5File open(Path path, FileAccess access, Communicator world) {
    return Connectors.open(connector, path, access, world, FileOptions.standard());
  }

  static Value whole(long value) {
    return new Value.Whole(BigInteger.valueOf(value));
  }

  private static String name(int rank, int number) {
    return "key " + number + " of rank " + rank + " \u00e4";
  }

  private static void putPairs(H5File file, Communicator world) {
    MapObject map = file.createMap("/group/map", TEXT, Datatype.I64);
    Expect.equal(0L, map.size(), "pairs of a new map");
    // A faster rank may put pairs before this rank has read the size, and pairs may be visible
    // before a flush.
    world.barrier();
    MapObject.Typed<String, Long> typed = map.typed(String.class, Long.class);
    int rank = world.rank();
    for (int i = 0; i < 20; i++) {
      typed.put(name(rank, i), -1L);
      typed.put(name(rank, i), 1000L * rank + i);
      Expect.equal(Optional.of(1000L * rank + i), typed.get(name(rank, i)), "own pair at once");
    }
    Map<String, Long> many = new HashMap<>();
    for (int i = 20; i < 5000; i++) {
      many.put(name(rank, i), 1000L * rank + i);
    }
    typed.putAll(many);
    typed.putAll(Map.of());
    Expect.thrown(
        IllegalArgumentException.class,
        () -> map.put(new Value.Text("x"), new Value.Text("no number")),
        "a value of another kind");
  }

  private static void findPairs(H5File file, Communicator world) {
    MapObject map = file.map("/group/map");
    Expect.equal(TEXT, map.keyType(), "type of keys");
    Expect.equal(Datatype.I64, map.valueType(), "type of values");
    Expect.equal(5000L * world.size(), map.size(), "pairs");
    MapObject.Typed<String, Long> typed = map.typed(String.class, Long.class);
    for (int rank = 0; rank < world.size(); rank++) {
      for (int i = 0; i < 5000; i += 7) {
        Expect.equal(Optional.of(1000L * rank + i), typed.get(name(rank, i)), "value");
      }
      Expect.that(typed.contains(name(rank, 4999)), "last key");
    }
    Expect.equal(Optional.empty(), typed.get("x"), "value of a missing key");
    Expect.that(!typed.contains("x"), "a missing key");
    Expect.equal(7L, typed.getOrDefault("x", 7L), "default");
    Expect.equal(3L, typed.getOrDefault(name(0, 3), 7L), "no default");
  }

  private static void removePairs(H5File file, Communicator world) {
    MapObject map = file.createMap("/map", Datatype.I32, TEXT);
    int rank = world.rank();
    for (int i = 0; i < 10; i++) {
      map.put(whole(10L * rank + i), new Value.Text("text"));
    }
    file.flush();
    for (int i = 0; i < 10; i += 2) {
      Expect.that(map.remove(whole(10L * rank + i)), "a pair was there");
      Expect.that(!map.remove(whole(10L * rank + i)), "no pair is left");
    }
    map.put(whole(10L * rank), new Value.Text("again"));
  }

  private static void findTheRest(H5File file, Communicator world) {
    MapObject map = file.map("/map");
    Expect.equal(6L * world.size(), map.size(), "pairs");
    for (int i = 0; i < 10 * world.size(); i++) {
      String expected = i % 10 == 0 ? "again" : "text";
      Expect.equal(
          i % 10 == 0 || i % 2 == 1 ? Optional.of(new Value.Text(expected)) : Optional.empty(),
          map.get(whole(i)),
          "value of " + i);
    }
  }

  private static void putNumbers(H5File file, Communicator world) {
    MapObject map = file.createMap("/numbers", Datatype.I32, Datatype.F64);
    Map<Integer, Double> pairs = new HashMap<>();
    for (int i = world.rank(); i < 10_000; i += world.size()) {
      pairs.put(i, i / 4.0);
    }
    map.typed(Integer.class, Double.class).putAll(pairs);
  }

  private static void iterate(H5File file, Communicator world) {
    MapObject.Typed<Integer, Double> map = file.map("/numbers").typed(Integer.class, Double.class);
    List<Integer> keys = new ArrayList<>();
    Expect.equal(
        Optional.empty(),
        map.iterateKeys(
            Optional.empty(),
            key -> {
              keys.add(key);
              return MapObject.Next.CONTINUE;
            }),
        "an iteration that does not stop");
    Expect.equal(10_000, keys.size(), "visited keys");
    Expect.equal(10_000, new HashSet<>(keys).size(), "different keys");
    List<Integer> resumed = new ArrayList<>();
    Optional<MapObject.Position> position = Optional.empty();
    int rounds = 0;
    do {
      int part = 1 + rounds * 997;
      int before = resumed.size();
      position =
          map.iteratePairs(
              position,
              (key, value) -> {
                Expect.equal(key / 4.0, value, "value of " + key);
                resumed.add(key);
                return resumed.size() == before + part
                    ? MapObject.Next.STOP
                    : MapObject.Next.CONTINUE;
              });
      rounds++;
    } while (position.isPresent());
    Expect.equal(keys, resumed, "keys of a resumed iteration");
    Expect.that(rounds > 4, "rounds: " + rounds);
  }

  private static MemorySegment ints(int... values) {
    return MemorySegment.ofArray(values);
  }

  private static void putMemory(H5File file, Communicator world) {
    MapObject map = file.createMap("/map", Datatype.I64, Datatype.F32);
    if (world.rank() == 0) {
      map.putAll(
          Datatype.I32,
          ints(1, 2, 3),
          Datatype.F64,
          MemorySegment.ofArray(new double[] {0.5, 1.5, 2.5}));
      MemorySegment released;
      try (Arena arena = Arena.ofConfined()) {
        released = arena.allocate(Datatype.F32.size());
      }
      Expect.thrown(
          IllegalStateException.class,
          () -> map.putAll(Datatype.I32, ints(6), Datatype.F32, released),
          "values in memory that was released");
      map.putAll(Datatype.I64, ints(4, 0, 5, 0), Datatype.I32, ints(7, 8));
      map.putAll(Datatype.I64, ints(), Datatype.I32, ints());
      Expect.thrown(
          IllegalArgumentException.class,
          () -> map.putAll(Datatype.I32, ints(6, 7), Datatype.I32, ints(1)),
          "more keys than values");
      Expect.thrown(
          IllegalArgumentException.class,
          () -> map.putAll(Datatype.I64, ints(6), Datatype.I32, ints(1)),
          "half a key");
      Expect.thrown(
          UnsupportedFeatureException.class,
          () -> map.putAll(StringType.of(4), ints(6), Datatype.I32, ints(1)),
          "a string as a number");
    }
  }

  private static void findMemory(H5File file, Communicator world) {
    MapObject map = file.map("/map");
    Expect.equal(5L, map.size(), "pairs");
    for (int key = 1; key <= 5; key++) {
      double expected = key < 4 ? key - 0.5 : key + 3;
      MemorySegment found = map.get(Datatype.I32, ints(key), Datatype.F64).orElseThrow();
      Expect.equal((long) Double.BYTES, found.byteSize(), "size");
      Expect.equal(expected, found.get(ValueLayout.JAVA_DOUBLE_UNALIGNED, 0), "value of " + key);
    }
    Expect.equal(Optional.empty(), map.get(Datatype.I32, ints(6), Datatype.F64), "a missing key");
    Expect.thrown(
        IllegalArgumentException.class,
        () -> map.get(Datatype.I32, ints(1, 2), Datatype.F64),
        "two keys");
    Expect.thrown(
        UnsupportedFeatureException.class,
        () -> map.get(Datatype.I32, ints(1), TEXT),
        "a number as text");
  }

  private static void makeObjects(H5File file, Communicator world) {
    MapObject map = file.createGroup("/g").createMap("m", Datatype.I32, Datatype.I32);
    Expect.equal("/g/m", map.path(), "path");
    Expect.equal(file, map.file(), "file");
    map.setAttribute(Attribute.of("about", "a map"));
    if (world.rank() == 0) {
      map.put(whole(1), whole(2));
    }
    Expect.thrown(
        CollectiveException.class,
        () -> file.createMap("/g/m", Datatype.I32, Datatype.I32),
        "a name that is taken");
    file.createHardLink("/hard", "/g/m");
    file.createSoftLink("/soft", "/moved");
    file.move("/hard", "/moved");
    file.unlink("/g/m");
    MapObject deleted = file.createMap("/g/deleted", Datatype.I32, Datatype.I32);
    deleted.put(whole(1), whole(1));
    file.unlink("/g/deleted");
    Expect.thrown(
        IllegalStateException.class, () -> deleted.put(whole(1), whole(1)), "a deleted map");
    Expect.thrown(IllegalStateException.class, () -> deleted.get(whole(1)), "a deleted map");
  }

  private static void find(H5File file, Communicator world) {
    for (String path : List.of("/moved", "/soft")) {
      MapObject map = file.map(path);
      Expect.equal(Optional.of(whole(2)), map.get(whole(1)), path);
      Expect.equal("a map", map.attribute("about").orElseThrow().text(), "attribute");
    }
    Group.Hard link = (Group.Hard) file.root().links().get(1);
    Expect.equal("moved", link.name(), "name");
    Expect.that(file.root().child(link) instanceof MapObject, "a map is a map");
    Expect.equal(List.of(), file.group("/g").links(), "links");
    Expect.thrown(NoSuchObjectException.class, () -> file.map("/g"), "a group as a map");
    Expect.thrown(NoSuchObjectException.class, () -> file.dataset("/moved"), "map as dataset");
    Expect.thrown(NoSuchObjectException.class, () -> file.map("/g/m"), "no map");
  }

  private static void refuse(H5File file, Communicator world) {
    Reference object = new Reference(8, Reference.Kind.OBJECT);
    Compound cell = new Compound(16, List.of(new Compound.Member("text", 0, TEXT)));
    for (Datatype key :
        List.of(object, cell, VariableLength.sequence(TEXT), VariableLength.sequence(object))) {
      refused(() -> file.createMap("/new/m", key, Datatype.I32), "key " + key);
    }
    for (Datatype value :
        List.of(VariableLength.sequence(TEXT), new Reference(12, Reference.Kind.REGION))) {
      refused(() -> file.createMap("/new/m", Datatype.I32, value), "value " + value);
    }
    MapObject map = file.createMap("/texts", TEXT, object);
    Expect.thrown(
        IllegalArgumentException.class,
        () -> map.put(new Value.Text("a\0b"), new Value.NullReference()),
        "a key with a NUL");
    Expect.thrown(
        IllegalArgumentException.class,
        () -> map.put(new Value.Text("x".repeat(65_536)), new Value.NullReference()),
        "a key that is too long");
    Expect.thrown(
        IllegalArgumentException.class,
        () -> map.typed(Long.class, Value.class),
        "a class that does not fit");
    if (world.rank() == 0) {
      map.put(new Value.Text("x".repeat(65_535)), file.reference("/texts"));
    }
  }

  private static void refused(Expect.Action action, String what) {
    Throwable cause = Expect.thrown(CollectiveException.class, action, what).getCause();
    Expect.that(cause instanceof UnsupportedFeatureException, what + ": " + cause);
  }

  private static void findNothing(H5File file, Communicator world) {
    Expect.equal(1, file.root().links().size(), "links");
    MapObject map = file.map("/texts");
    Expect.equal(1L, map.size(), "pairs");
    Expect.equal(
        Optional.of(file.reference("/texts")),
        map.get(new Value.Text("x".repeat(65_535))),
        "a reference");
  }
}
