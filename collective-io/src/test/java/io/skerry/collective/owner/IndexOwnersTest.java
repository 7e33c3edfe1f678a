package io.skerry.collective.owner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.collective.dataset.SampleDatasets;
import io.skerry.format.index.api.LeafId;
import org.junit.jupiter.api.Test;

class IndexOwnersTest {
  private static int[] leavesPerRank(int ranks, long dataset, long leaves, long leafSize) {
    ChunkDirectory directory = new ChunkDirectory(0, ranks, SampleDatasets.noFile());
    int[] perRank = new int[ranks];
    for (long leaf = 0; leaf < leaves; leaf++) {
      perRank[directory.indexOwnerOf(dataset, new LeafId(leaf * leafSize))]++;
    }
    return perRank;
  }

  @Test
  void the_pages_of_one_dataset_are_distributed_evenly_over_any_number_of_ranks() {
    for (int ranks : new int[] {2, 3, 4, 7, 8, 64}) {
      for (long leafSize : new long[] {1, 16, 1024, 1 << 20}) {
        int leaves = 100 * ranks;
        for (int count : leavesPerRank(ranks, 0x1a30, leaves, leafSize)) {
          assertTrue(
              count > 50 && count < 170,
              "leaves of "
                  + leafSize
                  + " on one of "
                  + ranks
                  + " ranks: "
                  + count
                  + " of "
                  + leaves);
        }
      }
    }
  }

  @Test
  void the_first_leaves_of_many_datasets_are_distributed_over_the_ranks() {
    ChunkDirectory directory = new ChunkDirectory(0, 4, SampleDatasets.noFile());
    int[] perRank = new int[4];
    for (long dataset = 0; dataset < 400; dataset++) {
      perRank[directory.indexOwnerOf(48 + dataset * 512, new LeafId(0))]++;
    }
    for (int count : perRank) {
      assertTrue(count > 60 && count < 140, "first leaves on a rank: " + count + " of 400");
    }
    assertEquals(400, perRank[0] + perRank[1] + perRank[2] + perRank[3]);
  }
}
