package io.skerry.integration.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.DatasetSpec;
import io.skerry.H5File;
import io.skerry.ObjectCopier;
import io.skerry.StorageChange;
import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests copies whose watcher fails on one rank. */
class FailedWatcherTest {
  private static final int RANKS = 3;
  private static final int ELEMENTS = 96;

  @TempDir Path folder;

  /** The storage of the dataset and the change that the copy makes to it. */
  private enum Kind {
    COMPACT(DatasetSpec::compact, UnaryOperator.identity()),
    CONTIGUOUS(DatasetSpec::contiguous, UnaryOperator.identity()),
    CHUNKS_AS_STORED(spec -> spec.chunked(8), UnaryOperator.identity()),
    CHUNKS_ENCODED_AGAIN(
        spec -> spec.chunked(8),
        copier ->
            copier.storing(_ -> StorageChange.none().withFilters(List.of(Filters.deflate(1)))));

    private final UnaryOperator<DatasetSpec> layout;
    private final UnaryOperator<ObjectCopier> change;

    Kind(UnaryOperator<DatasetSpec> layout, UnaryOperator<ObjectCopier> change) {
      this.layout = layout;
      this.change = change;
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void a_watcher_that_fails_on_one_rank_ends_the_copy_on_all_ranks(Kind kind) {
    Path path = folder.resolve("file.h5");
    try (H5File file = H5File.create(path)) {
      for (String name : List.of("/g/a", "/g/b")) {
        file.createDataset(
                name, kind.layout.apply(DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))))
            .write(Selection.all(), new int[ELEMENTS]);
      }
    }
    for (int victim = 0; victim < RANKS; victim++) {
      int failing = 0;
      while (fails(path, kind, victim, failing)) {
        failing++;
      }
      assertTrue(failing >= 2, "calls of the watcher that failed: " + failing);
    }
  }

  private static boolean fails(Path path, Kind kind, int victim, int failing) {
    List<Boolean> failed =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(RANKS, world -> copy(world, path, kind, victim, failing)));
    assertEquals(1, failed.stream().distinct().count(), "ranks that failed: " + failed);
    return failed.getFirst();
  }

  private static boolean copy(Communicator world, Path path, Kind kind, int victim, int failing) {
    int[] calls = {0};
    try (H5File file = H5File.openForWriting(path, world)) {
      ObjectCopier copier =
          kind.change
              .apply(ObjectCopier.between(file, file))
              .watchedBy(_ -> {
                if (world.rank() == victim && calls[0]++ == failing) {
                  throw new IllegalStateException("the watcher failed");
                }
              });
      boolean thrown = false;
      try {
        copier.copy("/g", "/copy");
      } catch (CollectiveException e) {
        assertEquals(List.of(victim), e.failingRanks());
        assertTrue(e.getMessage().contains("the watcher failed"), e.getMessage());
        thrown = true;
      }
      file.discard();
      return thrown;
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void an_error_of_a_watcher_on_one_rank_ends_the_copy_on_all_ranks(Kind kind) {
    Path path = folder.resolve("error.h5");
    try (H5File file = H5File.create(path)) {
      file.createDataset(
              "/g/a", kind.layout.apply(DatasetSpec.of(Datatype.I32, Shape.of(ELEMENTS))))
          .write(Selection.all(), new int[ELEMENTS]);
    }
    List<String> thrown =
        assertTimeoutPreemptively(
            Duration.ofSeconds(60),
            () -> LocalRanks.call(RANKS, world -> failure(world, path, kind)));
    assertEquals("the error itself", thrown.get(1));
    for (int rank : List.of(0, 2)) {
      assertTrue(thrown.get(rank).contains("too deep"), thrown.get(rank));
      assertTrue(thrown.get(rank).contains("ranks=[1]"), thrown.get(rank));
    }
  }

  /** Copies a group, checks that the file is still usable, and returns the failure on this rank. */
  private static String failure(Communicator world, Path path, Kind kind) {
    StackOverflowError error = new StackOverflowError("too deep");
    try (H5File file = H5File.openForWriting(path, world)) {
      ObjectCopier copier =
          kind.change
              .apply(ObjectCopier.between(file, file))
              .watchedBy(_ -> {
                if (world.rank() == 1) {
                  throw error;
                }
              });
      String thrown = "nothing";
      try {
        copier.copy("/g", "/copy");
      } catch (CollectiveException e) {
        thrown = e.getMessage();
      } catch (StackOverflowError e) {
        thrown = e.equals(error) ? "the error itself" : "another error: " + e;
      }
      assertEquals(ELEMENTS, file.dataset("/g/a").readInts(Selection.all()).length);
      file.discard();
      return thrown;
    }
  }
}
