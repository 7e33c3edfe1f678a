package io.skerry.testkit.connector;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.Compound;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import io.skerry.format.Bytes;
import io.skerry.mpi.Communicator;
import io.skerry.testkit.ranked.Expect;
import io.skerry.value.Value;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Maps with keys and values of every kind, for {@link MapConformance}. */
final class MapKinds {
  private MapKinds() {}

  /** A compound with a gap between its members. */
  private static Compound point() {
    return new Compound(
        12,
        List.of(
            new Compound.Member("x", 0, Datatype.U16), new Compound.Member("y", 8, Datatype.I32)));
  }

  private static Value point(long x, long y) {
    return new Value.Compound(
        List.of(
            new Value.Field("x", MapConformance.whole(x)),
            new Value.Field("y", MapConformance.whole(y))));
  }

  private static Value opaque(int... values) {
    byte[] bytes = new byte[values.length];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) values[i];
    }
    return new Value.Opaque(Bytes.of(MemorySegment.ofArray(bytes)), "tag");
  }

  private static Value sequence(long... values) {
    List<Value> elements = new ArrayList<>();
    for (long value : values) {
      elements.add(MapConformance.whole(value));
    }
    return new Value.Sequence(elements);
  }

  /** Returns the types of maps and the pairs in them, in the same order on all ranks. */
  private static SortedMap<String, Kind> kinds() {
    return new TreeMap<>(unordered());
  }

  private static Map<String, Kind> unordered() {
    Value nan = new Value.Real(Double.NaN, 53);
    return Map.of(
        "/integers",
        new Kind(
            Datatype.I16,
            Datatype.U64,
            Map.of(
                MapConformance.whole(-32768),
                MapConformance.whole(0),
                MapConformance.whole(7),
                MapConformance.whole(8),
                MapConformance.whole(0),
                MapConformance.whole(Long.MAX_VALUE))),
        "/reals",
        new Kind(
            Datatype.F64,
            Datatype.F64,
            Map.of(
                new Value.Real(0.0, 53),
                nan,
                new Value.Real(-0.0, 53),
                new Value.Real(1, 53),
                nan,
                new Value.Real(-0.0, 53),
                new Value.Real(Double.NEGATIVE_INFINITY, 53),
                new Value.Real(2, 53))),
        "/fixed",
        new Kind(
            StringType.of(5),
            StringType.of(3),
            Map.of(
                new Value.Text(""), new Value.Text("a"),
                new Value.Text("ab"), new Value.Text(""),
                new Value.Text("abcd"), new Value.Text("xy"))),
        "/texts",
        new Kind(
            MapConformance.TEXT,
            MapConformance.TEXT,
            Map.of(
                new Value.Text(""), new Value.Text("of the empty key"),
                new Value.Text("long ".repeat(2000)), new Value.Text("x".repeat(300_000)),
                new Value.Text("\u00e4\u4e2d"), new Value.Text(""))),
        "/compounds",
        new Kind(
            point(),
            new Compound(
                24,
                List.of(
                    new Compound.Member("text", 0, MapConformance.TEXT),
                    new Compound.Member("n", 16, Datatype.I64))),
            Map.of(
                point(1, 2), named("one", 1),
                point(1, -2), named("", 2),
                point(65535, 0), named("three", 3))),
        "/opaque",
        new Kind(
            new Opaque(3, "tag"),
            new Opaque(1, "tag"),
            Map.of(opaque(0, 0, 0), opaque(1), opaque(255, 0, 1), opaque(2))),
        "/sequences",
        new Kind(
            VariableLength.sequence(Datatype.I32),
            VariableLength.sequence(Datatype.I16),
            Map.of(
                sequence(), sequence(1, 2),
                sequence(0), sequence(),
                sequence(0, 1), sequence(-1))));
  }

  private static Value named(String text, long number) {
    return new Value.Compound(
        List.of(
            new Value.Field("text", new Value.Text(text)),
            new Value.Field("n", MapConformance.whole(number))));
  }

  private record Kind(Datatype key, Datatype value, Map<Value, Value> pairs) {}

  static void put(H5File file, Communicator world) {
    for (var entry : kinds().entrySet()) {
      Kind kind = entry.getValue();
      MapObject map = file.createMap(entry.getKey(), kind.key, kind.value);
      if (world.rank() == 0) {
        map.putAll(kind.pairs);
      }
    }
  }

  static void find(H5File file, Communicator world) {
    for (var entry : kinds().entrySet()) {
      String path = entry.getKey();
      Map<Value, Value> expected = entry.getValue().pairs;
      MapObject map = file.map(path);
      Map<Value, Value> found = new HashMap<>();
      Optional<MapObject.Position> end =
          map.iteratePairs(
              Optional.empty(),
              (key, value) -> {
                found.put(key, value);
                return MapObject.Next.CONTINUE;
              });
      Expect.equal(Optional.empty(), end, path);
      Expect.equal(expected, found, path);
      expected.forEach((key, value) -> {
        Expect.equal(Optional.of(value), map.get(key), path + " " + key);
        Expect.that(map.contains(key), path + " " + key);
      });
      Expect.equal((long) expected.size(), map.size(), path);
    }
    Expect.equal(
        Optional.empty(), file.map("/texts").get(new Value.Text(" ")), "a key that is not there");
  }
}
