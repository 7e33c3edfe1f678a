package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.Attribute;
import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.ObjectCopier;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.iod.engine.EngineOptions;
import io.skerry.iod.object.ChecksumLevel;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connectors;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests maps in containers that several ranks have open, and copies of maps. */
class SharedMapsTest {
  private static final int PAIRS = 2500;

  @TempDir Path folder;

  private static H5File open(Communicator world, Path path, FileAccess access) {
    IodConnector connector =
        new IodConnector(new ContainerSettings(2, ChecksumLevel.ALL, EngineOptions.DEFAULT));
    return Connectors.open(connector, path, access, world, FileOptions.standard());
  }

  private static MapObject.Typed<String, Long> typed(MapObject map) {
    return map.typed(String.class, Long.class);
  }

  private static MapObject.Typed<String, Long> created(H5File file) {
    return typed(file.createMap("/g/runs", VariableLength.string(CharacterSet.UTF8), Datatype.I64));
  }

  private static Map<String, Long> pairs(int rank) {
    Map<String, Long> pairs = new HashMap<>();
    for (long i = 0; i < PAIRS; i++) {
      pairs.put("rank " + rank + " pair " + i, 1000 * rank + i);
    }
    return pairs;
  }

  private static Map<String, Long> all(MapObject.Typed<String, Long> map) {
    Map<String, Long> all = new TreeMap<>();
    Optional<MapObject.Position> end =
        map.iteratePairs(
            Optional.empty(),
            (key, value) -> {
              all.put(key, value);
              return MapObject.Next.CONTINUE;
            });
    assertEquals(Optional.empty(), end);
    return all;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 4})
  void pairs_of_all_ranks_are_seen_by_all_after_a_flush(int size) {
    Path path = folder.resolve("run");
    Map<String, Long> expected = new TreeMap<>();
    for (int rank = 0; rank < size; rank++) {
      expected.putAll(pairs(rank));
    }
    LocalRanks.run(
        size,
        world -> {
          try (H5File file = open(world, path, FileAccess.CREATE)) {
            MapObject.Typed<String, Long> map = created(file);
            map.putAll(pairs(world.rank()));
            assertEquals(
                Optional.of(1000L * world.rank()), map.get("rank " + world.rank() + " pair 0"));
            file.flush();
            assertEquals(expected, all(map));
            // The other ranks may still read from the shards of this one.
            world.barrier();
          }
        });
    VerifyingConnector.verify(path);
    try (H5File file = open(Communicator.self(), path, FileAccess.READ)) {
      assertEquals(expected, all(typed(file.map("/g/runs"))));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_copy_contains_the_pairs_and_attributes_of_maps(int size) {
    Path from = folder.resolve("from");
    Path to = folder.resolve("to");
    try (H5File file = open(Communicator.self(), from, FileAccess.CREATE)) {
      MapObject.Typed<String, Long> map = created(file);
      map.putAll(pairs(7));
      map.map().setAttribute(Attribute.of("units", "s"));
      file.createHardLink("/again", "/g/runs");
    }
    LocalRanks.run(
        size,
        world -> {
          try (H5File source = open(world, from, FileAccess.READ);
              H5File target = open(world, to, FileAccess.CREATE)) {
            ObjectCopier.between(source, target).copyAll();
          }
        });
    VerifyingConnector.verify(to);
    try (H5File file = open(Communicator.self(), to, FileAccess.READ)) {
      MapObject copy = file.map("/again");
      assertEquals(new TreeMap<>(pairs(7)), all(typed(copy)));
      assertEquals("s", copy.attribute("units").orElseThrow().text());
    }
  }

  /** Pairs of 8 bytes each, in memory. */
  private static void putNumbers(MapObject map, int count) {
    MemorySegment numbers = MemorySegment.ofArray(LongStream.range(0, count).toArray());
    map.putAll(Datatype.I64, numbers, Datatype.I64, numbers);
  }

  @Test
  void a_copy_may_take_longer_than_a_rank_waits_for_another() {
    Path from = folder.resolve("from");
    Path to = folder.resolve("to");
    int count = 300_000;
    try (H5File file = open(Communicator.self(), from, FileAccess.CREATE)) {
      putNumbers(file.createMap("/map", Datatype.I64, Datatype.I64), count);
    }
    String property = "skerry.patience";
    Optional<String> before = Optional.ofNullable(System.getProperty(property));
    System.setProperty(property, "1");
    try {
      LocalRanks.run(
          2,
          world -> {
            try (H5File source = open(world, from, FileAccess.READ);
                H5File target = open(world, to, FileAccess.CREATE)) {
              ObjectCopier.between(source, target).copyAll();
            }
          });
    } finally {
      before.ifPresentOrElse(
          value -> System.setProperty(property, value), () -> System.clearProperty(property));
    }
    try (H5File file = open(Communicator.self(), to, FileAccess.READ)) {
      MapObject copy = file.map("/map");
      assertEquals(count, copy.size());
      assertEquals(Optional.of(12345L), copy.typed(Long.class, Long.class).get(12345L));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void a_copy_on_several_ranks_has_the_pairs_of_all_batches(int size) {
    Path from = folder.resolve("from");
    Path to = folder.resolve("to");
    int[] counts = {0, 1, 4095, 4096, 4097, 12_288, 20_000};
    try (H5File file = open(Communicator.self(), from, FileAccess.CREATE)) {
      for (int count : counts) {
        putNumbers(file.createMap("/map " + count, Datatype.I64, Datatype.I64), count);
      }
    }
    LocalRanks.run(
        size,
        world -> {
          try (H5File source = open(world, from, FileAccess.READ);
              H5File target = open(world, to, FileAccess.CREATE)) {
            ObjectCopier.between(source, target).copyAll();
          }
        });
    VerifyingConnector.verify(to);
    try (H5File file = open(Communicator.self(), to, FileAccess.READ)) {
      for (int count : counts) {
        MapObject.Typed<Long, Long> copy = file.map("/map " + count).typed(Long.class, Long.class);
        Map<Long, Long> found = new TreeMap<>();
        var unused =
            copy.iteratePairs(
                Optional.empty(),
                (key, value) -> {
                  found.put(key, value);
                  return MapObject.Next.CONTINUE;
                });
        assertEquals(
            LongStream.range(0, count).boxed().collect(Collectors.toMap(n -> n, n -> n)), found);
      }
    }
  }

  @Test
  void another_thread_of_one_of_several_ranks_is_refused() {
    Path path = folder.resolve("run");
    LocalRanks.run(
        2,
        world -> {
          try (H5File file = open(world, path, FileAccess.CREATE)) {
            MapObject.Typed<String, Long> map = created(file);
            map.put("mine " + world.rank(), 1L);
            List<Throwable> failures = new ArrayList<>();
            List<Runnable> calls =
                List.of(
                    () -> map.put("other", 2L),
                    () -> {
                      var unused = map.get("mine 0");
                    },
                    () -> {
                      long unused = map.map().size();
                    });
            Thread other =
                new Thread(() ->
                    calls.forEach(
                        call -> failures.add(assertThrows(RuntimeException.class, call::run))));
            other.start();
            other.join();
            assertEquals(calls.size(), failures.size());
            failures.forEach(failure -> {
              assertInstanceOf(IllegalStateException.class, failure);
              assertTrue(
                  String.valueOf(failure.getMessage()).contains("file=" + path),
                  String.valueOf(failure.getMessage()));
            });
            file.flush();
            assertEquals(Set.of("mine 0", "mine 1"), all(map).keySet());
            world.barrier();
          }
        });
  }
}
