package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a local call that fails on one rank involves no other rank. */
class LocalCallsTest {
  private static final int RANKS = 3;

  @TempDir Path folder;

  private Path file() {
    Path path = folder.resolve("local.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset("/d", DatasetSpec.of(Datatype.I32, Shape.of(4).unlimited(0)).chunked(4))
          .write(Selection.all(), new int[] {1, 2, 3, 4});
    }
    return path;
  }

  @Test
  void a_missing_target_of_a_reference_is_the_failure_of_one_rank_only() {
    Path path = file();
    LocalRanks.run(
        RANKS,
        world -> {
          try (H5File file = H5File.open(path, world)) {
            NoSuchObjectException together =
                assertThrows(NoSuchObjectException.class, () -> file.object("/none"));
            assertTrue(AgreedFailure.isAgreed(together, world.rankSet()));
            if (world.rank() == 1) {
              for (NoSuchObjectException alone :
                  List.of(
                      assertThrows(NoSuchObjectException.class, () -> file.reference("/none")),
                      assertThrows(
                          NoSuchObjectException.class,
                          () -> file.reference("/none", Selection.all())))) {
                assertFalse(AgreedFailure.isAgreed(alone, world.rankSet()), alone.toString());
                assertEquals("/none", alone.path());
              }
            }
          }
        });
  }

  @Test
  void a_missing_argument_of_an_independent_write_is_the_failure_of_one_rank_only() {
    Path path = file();
    LocalRanks.run(
        RANKS,
        world -> {
          try (H5File file = H5File.openForWriting(path, world)) {
            Dataset alone = file.dataset("/d").independent();
            if (world.rank() == 1) {
              assertThrows(
                  NullPointerException.class, () -> alone.write(Selection.all(), (int[]) null));
              assertThrows(NullPointerException.class, () -> alone.extendTo((long[]) null));
              assertThrows(NullPointerException.class, () -> alone.writeChunk(null, 0));
            }
            world.barrier();
            assertArrayEquals(new int[] {1, 2, 3, 4}, file.dataset("/d").readInts(Selection.all()));
          }
        });
  }
}
