package io.skerry.integration.misuse;

import io.skerry.collective.CollectiveFile;
import io.skerry.collective.LoadedMetadata;
import io.skerry.collective.dataset.ChunkedDataset;
import io.skerry.collective.dataset.MetadataSource;
import io.skerry.collective.step.UndoLog;
import io.skerry.format.alloc.SpaceAllocator;
import io.skerry.format.block.BlockImage;
import io.skerry.format.block.ByteSource;
import io.skerry.format.block.Widths;
import io.skerry.format.index.api.ChunkIndex;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.parallel.Operation;
import io.skerry.testkit.ranked.RankedCase;
import io.skerry.testkit.ranked.RankedCases;
import io.skerry.testkit.ranked.SharedFolder;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Cases in which one rank changes different entries in a step than the other ranks do, although all
 * ranks pass equal arguments. For two or more ranks.
 */
public final class DifferentSteps implements RankedCases {
  private static final long FIRST = 4096;
  private static final long SECOND = 8192;

  @Override
  public List<RankedCase> cases() {
    return List.of(
        new RankedCase(
            "a_step_that_changes_another_entry_on_one_rank_is_undone_on_all",
            world -> everyOddRank(world, List.of(FIRST, SECOND), List.of(FIRST, SECOND + 1))),
        new RankedCase(
            "a_step_that_changes_an_entry_less_on_one_rank_is_undone_on_all",
            world -> everyOddRank(world, List.of(FIRST, SECOND), List.of(FIRST))),
        new RankedCase(
            "a_step_that_changes_nothing_on_one_rank_is_undone_on_all",
            world -> everyOddRank(world, List.of(FIRST), List.of())));
  }

  private static void everyOddRank(Communicator world, List<Long> most, List<Long> odd)
      throws IOException {
    try (SharedFolder folder = SharedFolder.create(world);
        CollectiveFile file =
            CollectiveFile.open(
                    folder.file("one.h5"),
                    FileAccess.CREATE,
                    world,
                    FileOptions.standard(),
                    DifferentSteps::noMetadata)
                .file()) {
      for (int rank = 0; rank < world.size(); rank++) {
        refused(file, world.rank() == rank ? odd : most, rank);
        accepted(file, most);
      }
      file.discard();
    }
  }

  private static LoadedMetadata<NoMetadata> noMetadata(ByteSource source, UndoLog log) {
    return new LoadedMetadata<>(new NoMetadata(), source, SpaceAllocator.startingAt(0), 0, 0);
  }

  /** Metadata that never changes, since the cases change only entries outside of it. */
  private record NoMetadata() implements MetadataSource {
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
      throw new IllegalStateException("the cases flush nothing");
    }

    @Override
    public void released(ChunkedDataset dataset) {
      throw new IllegalStateException("the cases open no dataset");
    }

    @Override
    public void committed() {}

    @Override
    public void rolledBack() {}
  }

  private static void refused(CollectiveFile file, List<Long> mine, int odd) {
    Map<Long, String> entries = new TreeMap<>(Map.of(FIRST, "kept"));
    try {
      put(file, entries, mine);
    } catch (CollectiveException e) {
      // The exception names the ranks that differ from rank 0.
      boolean named = odd == 0 ? !e.failingRanks().contains(0) : e.failingRanks().contains(odd);
      if (!named || !e.reason().contains("changed different entries")) {
        throw new IllegalStateException("not the refusal that was expected: odd=" + odd, e);
      }
      if (!entries.equals(Map.of(FIRST, "kept"))) {
        throw new IllegalStateException("the step was not undone: entries=" + entries, e);
      }
      return;
    }
    throw new IllegalStateException("different steps were taken: odd rank=" + odd);
  }

  private static void accepted(CollectiveFile file, List<Long> all) {
    Map<Long, String> entries = new TreeMap<>();
    put(file, entries, all);
    if (!entries.keySet().containsAll(all)) {
      throw new IllegalStateException("an equal step was undone: entries=" + entries);
    }
  }

  private static void put(CollectiveFile file, Map<Long, String> entries, List<Long> keys) {
    var unused =
        file.steps()
            .together(
                Operation.CREATE_OBJECT,
                "/g",
                "",
                () -> {
                  keys.forEach(key -> file.log().put(entries, key, "changed"));
                  return true;
                });
  }
}
