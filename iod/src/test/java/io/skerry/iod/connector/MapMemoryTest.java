package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.ObjectCopier;
import io.skerry.datatype.CharacterSet;
import io.skerry.datatype.Datatype;
import io.skerry.datatype.VariableLength;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.FileAccess;
import io.skerry.testkit.launch.ChildProgram;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Stores many pairs in a small heap. */
class MapMemoryTest {
  @TempDir Path folder;

  /** Stores a million pairs with one call, and reads them, in a small heap. */
  static final class ManyPairs {
    private static final int PAIRS = 1_000_000;

    private ManyPairs() {}

    public static void main(String[] arguments) {
      ContainerFixture fixture = new ContainerFixture(Path.of(arguments[0]), 1);
      try (H5File file = fixture.open(FileAccess.CREATE)) {
        MapObject map = file.createMap("/map", Datatype.I32, Datatype.I64);
        int[] keys = new int[PAIRS];
        long[] values = new long[PAIRS];
        for (int i = 0; i < PAIRS; i++) {
          keys[i] = i;
          values[i] = 3L * i;
        }
        map.putAll(
            Datatype.I32, MemorySegment.ofArray(keys), Datatype.I64, MemorySegment.ofArray(values));
      }
      try (H5File file = fixture.open(FileAccess.READ)) {
        var map = file.map("/map").typed(Integer.class, Long.class);
        long[] sums = new long[2];
        var unused =
            map.iteratePairs(
                Optional.empty(),
                (key, value) -> {
                  sums[0]++;
                  sums[1] += value - 3L * key;
                  return MapObject.Next.CONTINUE;
                });
        System.out.println(
            "visited=" + sums[0] + " wrong=" + sums[1] + " size=" + map.map().size());
        System.out.println("last=" + map.get(PAIRS - 1) + " none=" + map.get(PAIRS));
      }
    }
  }

  @Test
  void a_million_pairs_are_stored_at_once_and_read_in_a_heap_of_64_MiB() throws Exception {
    ChildProgram program =
        ChildProgram.of(ManyPairs.class, folder.resolve("many")).withJvmOptions("-Xmx64m");
    Path log = folder.resolve("log");
    ChildProgram.Ended ended =
        program.run(folder, log.getFileName().toString(), Duration.ofMinutes(2));
    assertEquals(0, ended.exitCode(), ended.output());
    assertTrue(ended.output().contains("visited=1000000 wrong=0 size=1000000"), ended.output());
    assertTrue(
        ended.output().contains("last=Optional[2999997] none=Optional.empty"), ended.output());
  }

  /**
   * Stores pairs on several ranks, with a flush for each part of them, then reads some of them and
   * counts all, and prints the time of each step.
   */
  static final class PairsOfRanks {
    private static final int PART = 50_000;

    /** The number of pairs for each pair that is read. */
    private static final int SAMPLE = 100;

    private PairsOfRanks() {}

    public static void main(String[] arguments) {
      int ranks = Integer.parseInt(arguments[1]);
      int pairs = Integer.parseInt(arguments[2]) / ranks;
      ContainerFixture fixture = new ContainerFixture(Path.of(arguments[0]), ranks);
      LocalRanks.run(ranks, world -> run(fixture, world, pairs));
    }

    private static void run(ContainerFixture fixture, Communicator world, int pairs) {
      long first = (long) world.rank() * pairs;
      long start = System.nanoTime();
      try (H5File file = fixture.open(world, FileAccess.CREATE)) {
        MapObject map = file.createMap("/map", Datatype.I64, Datatype.I64);
        long[] keys = new long[PART];
        long[] values = new long[PART];
        for (int part = 0; part < pairs / PART; part++) {
          for (int i = 0; i < PART; i++) {
            // All numbers of the rank, in an order that jumps: the factor is odd and no divisor.
            keys[i] = first + (long) (part * PART + i) * 7919 % pairs;
            values[i] = 3 * keys[i];
          }
          map.putAll(
              Datatype.I64,
              MemorySegment.ofArray(keys),
              Datatype.I64,
              MemorySegment.ofArray(values));
          file.flush();
        }
      }
      print(world, "put", pairs, start);
      start = System.nanoTime();
      try (H5File file = fixture.open(world, FileAccess.READ)) {
        var map = file.map("/map").typed(Long.class, Long.class);
        long wrong = 0;
        for (long key = first; key < first + pairs; key += SAMPLE) {
          long expected = 3 * key;
          wrong += map.get(key).filter(value -> value == expected).isPresent() ? 0 : 1;
        }
        world.barrier();
        print(world, "get, wrong=" + wrong, pairs / SAMPLE, start);
        start = System.nanoTime();
        if (world.rank() == 0) {
          long size = map.map().size();
          print(world, "count, size=" + size, size, start);
        }
        world.barrier();
      }
    }

    private static void print(Communicator world, String what, long pairs, long start) {
      double seconds = (System.nanoTime() - start) / 1e9;
      System.out.printf(
          Locale.ROOT,
          "rank %d: %s, pairs=%d, %.1f s, %.0f pairs/s%n",
          world.rank(),
          what,
          pairs,
          seconds,
          pairs / seconds);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2})
  void pairs_are_put_read_and_counted_in_a_heap_of_96_MiB(int ranks) throws Exception {
    int pairs = Boolean.getBoolean("skerry.thorough") ? 10_000_000 : 400_000;
    ChildProgram program =
        ChildProgram.of(PairsOfRanks.class, folder.resolve("many"), ranks, pairs)
            .withJvmOptions("-Xmx96m", ChildProgram.ALL_COMPILERS);
    Path log = folder.resolve("log");
    ChildProgram.Ended ended =
        program.run(folder, log.getFileName().toString(), Duration.ofMinutes(15));
    System.out.println(ended.output());
    assertEquals(0, ended.exitCode(), ended.output());
    for (int rank = 0; rank < ranks; rank++) {
      assertTrue(ended.output().contains("rank " + rank + ": get, wrong=0"), ended.output());
    }
    assertTrue(ended.output().contains("rank 0: count, size=" + pairs), ended.output());
  }

  /** Copies a map whose values are larger than the heap. */
  static final class LargeValues {
    private static final int PAIRS = 50;

    private LargeValues() {}

    public static void main(String[] arguments) {
      ContainerFixture from = new ContainerFixture(Path.of(arguments[0], "from"), 1);
      ContainerFixture to = new ContainerFixture(Path.of(arguments[0], "to"), 1);
      String value = "v".repeat(2 << 20);
      try (H5File file = from.open(FileAccess.CREATE)) {
        var map = file.createMap("/map", Datatype.I32, VariableLength.string(CharacterSet.UTF8));
        for (int i = 0; i < PAIRS; i++) {
          map.typed(Integer.class, String.class).put(i, value);
        }
      }
      try (H5File source = from.open(FileAccess.READ);
          H5File target = to.open(FileAccess.CREATE)) {
        ObjectCopier.between(source, target).copyAll();
      }
      try (H5File file = to.open(FileAccess.READ)) {
        var map = file.map("/map").typed(Integer.class, String.class);
        System.out.println(
            "copied=" + map.map().size() + " last=" + map.get(PAIRS - 1).orElse("").length());
      }
    }
  }

  @Test
  void values_of_100_MiB_are_copied_in_a_heap_of_96_MiB() throws Exception {
    Path containers = Files.createDirectory(folder.resolve("large"));
    ChildProgram program = ChildProgram.of(LargeValues.class, containers).withJvmOptions("-Xmx96m");
    ChildProgram.Ended ended = program.run(folder, "large.log", Duration.ofMinutes(2));
    assertEquals(0, ended.exitCode(), ended.output());
    assertTrue(ended.output().contains("copied=50 last=2097152"), ended.output());
  }
}
