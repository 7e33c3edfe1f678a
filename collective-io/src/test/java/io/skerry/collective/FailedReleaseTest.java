package io.skerry.collective;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.dataset.SampleDatasets;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests the failure of one rank to release a dataset that no rank uses any more. */
class FailedReleaseTest {
  private static final int RANKS = 3;
  private static final int FAILING = 1;

  /** A number of datasets too small to trigger the search for unused ones. */
  private static final int FEW = 1000;

  @TempDir Path folder;

  /** Metadata that fails to release the first dataset on one rank. */
  private record Metadata(int rank, AtomicInteger released) implements MetadataSource {
    @Override
    public Widths widths() {
      return Widths.EIGHT;
    }

    @Override
    public boolean isDirty() {
      return false;
    }

    @Override
    public List<BlockImage> changedBlocks(Map<Long, ChunkIndex> indexes, SpaceAllocator space) {
      return List.of();
    }

    @Override
    public BlockImage superblock(long endOfFile) {
      throw new IllegalStateException("nothing is stored");
    }

    @Override
    public void released(ChunkedDataset dataset) {
      if (released.incrementAndGet() == 1 && rank == FAILING) {
        throw new IllegalStateException("the test keeps a dataset");
      }
    }

    @Override
    public void committed() {}

    @Override
    public void rolledBack() {}
  }

  private static boolean register(CollectiveFile file, int from, int count) {
    for (int id = from; id < from + count; id++) {
      file.datasets().register(SampleDatasets.dense(id));
    }
    return true;
  }

  @Test
  void a_failure_of_one_rank_is_thrown_on_all_ranks_which_release_the_same_datasets() {
    List<Integer> released =
        LocalRanks.call(
            RANKS,
            world -> {
              Metadata metadata = new Metadata(world.rank(), new AtomicInteger());
              CollectiveFile file =
                  CollectiveFile.open(
                          folder.resolve("many.h5"),
                          FileAccess.CREATE,
                          world,
                          FileOptions.standard(),
                          (source, _) ->
                              new LoadedMetadata<>(
                                  metadata, source, SpaceAllocator.startingAt(0), 0, 0))
                      .file();
              FileSteps steps = file.steps();
              boolean some =
                  steps.together(Operation.OPEN_OBJECT, "/some", "", () -> register(file, 0, FEW));
              System.gc();
              CollectiveException failure =
                  assertThrows(
                      CollectiveException.class,
                      () ->
                          steps.together(
                              Operation.OPEN_OBJECT, "/more", "", () -> register(file, FEW, 100)));
              assertEquals(List.of(FAILING), failure.failingRanks());
              assertEquals("the test keeps a dataset", failure.reason());
              // All ranks are in the same state and can continue.
              List<Boolean> later = new ArrayList<>();
              later.add(
                  steps.together(
                      Operation.OPEN_OBJECT, "/last", "", () -> register(file, 2 * FEW, 1)));
              assertEquals(List.of(some), later);
              file.discard();
              return metadata.released().get();
            });
    assertEquals(1, released.stream().distinct().count(), released.toString());
    assertEquals(true, released.getFirst() >= FEW, released.toString());
  }
}
