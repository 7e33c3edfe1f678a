package io.skerry.iod.connector;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.H5File;
import io.skerry.MapObject;
import io.skerry.datatype.Datatype;
import io.skerry.parallel.FileAccess;
import io.skerry.testkit.launch.ChildProgram;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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
}
