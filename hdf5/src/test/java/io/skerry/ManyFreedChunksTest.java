package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.filter.Filters;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests flushes that free more chunks than the ranks report to each other. */
class ManyFreedChunksTest {
  private static final boolean THOROUGH = Boolean.getBoolean("skerry.thorough");

  /**
   * The number of chunks. Half of them are freed in a flush, which exceeds the 16,384 blocks that
   * all ranks together report. The rest is so much that the file would grow by more than a tenth in
   * two rounds if it were not reused.
   */
  private static final int CHUNKS = THOROUGH ? 48_000 : 40_000;

  private static final int LENGTH = 4;
  private static final int RANKS = 3;
  private static final int ROUNDS = THOROUGH ? 8 : 6;

  @TempDir Path folder;

  @Test
  void freed_blocks_of_a_rank_are_reused_by_that_rank_only() {
    Path path = folder.resolve("many.h5");
    int[] model = new int[CHUNKS * LENGTH];
    List<Long> sizes = new ArrayList<>();
    LocalRanks.run(
        RANKS,
        world -> {
          int[] mine = new int[model.length];
          try (H5File file = H5File.create(path, world)) {
            Dataset data =
                file.createDataset(
                    "/d",
                    DatasetSpec.of(Datatype.I32, Shape.of(model.length))
                        .chunked(LENGTH)
                        .filters(Filters.fletcher32()));
            write(data, Selection.at(0).extent(model.length), mine, 0, world.rank());
            file.flush();
            for (int round = 1; round <= ROUNDS; round++) {
              // Every other chunk, so that freed blocks are not adjacent.
              Selection half =
                  Selection.at(round % 2 * (long) LENGTH)
                      .stride(2 * LENGTH)
                      .count(CHUNKS / 2)
                      .block(LENGTH);
              write(data, half, mine, round, world.rank());
              file.flush();
              if (world.rank() == 0) {
                sizes.add(file.size());
              }
            }
            assertArrayEquals(mine, data.readInts(Selection.at(0).extent(model.length)));
          }
          if (world.rank() == 0) {
            System.arraycopy(mine, 0, model, 0, mine.length);
          }
        });
    List<Verification.Finding> findings = new ArrayList<>();
    var unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      assertArrayEquals(model, file.dataset("/d").readInts(Selection.at(0).extent(model.length)));
    }
    assertTrue(sizes.getLast() <= 1.1 * sizes.get(3), sizes.toString());
  }

  /** Writes the rank's third of the selected chunks, with values that depend on the round. */
  private static void write(Dataset data, Selection all, int[] model, int round, int rank) {
    List<Integer> starts = new ArrayList<>();
    all.forEachRun(
        data.shape(),
        (at, length) -> {
          for (int i = 0; i < length; i += LENGTH) {
            starts.add((int) at[0] + i);
          }
        });
    for (int start : starts) {
      Arrays.fill(model, start, start + LENGTH, round * 100_000 + start);
    }
    int from = starts.size() * rank / RANKS;
    int to = starts.size() * (rank + 1) / RANKS;
    int stride = starts.size() == CHUNKS ? LENGTH : 2 * LENGTH;
    Selection mine =
        Selection.at((long) starts.get(from)).stride(stride).count(to - from).block(LENGTH);
    int[] values = new int[(to - from) * LENGTH];
    for (int i = from; i < to; i++) {
      Arrays.fill(
          values, (i - from) * LENGTH, (i - from + 1) * LENGTH, round * 100_000 + starts.get(i));
    }
    data.write(mine, values);
  }
}
