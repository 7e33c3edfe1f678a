package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.chunk.filter.Filters;
import io.skerry.chunk.space.Selection;
import io.skerry.chunk.space.Shape;
import io.skerry.chunk.type.Datatype;
import io.skerry.mpi.LocalRanks;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class H5FileTest {
  @TempDir Path folder;

  @Test
  void a_sparse_dataset_holds_only_what_was_written() {
    Path path = folder.resolve("hits.h5");
    try (H5File file = H5File.create(path)) {
      Dataset hits =
          file.createDataset(
              "/entry/hits",
              DatasetSpec.of(Datatype.F32, Shape.of(10, 64, 64).unlimited(0))
                  .sparse(1, 32, 32)
                  .filters(Filters.shuffle(), Filters.deflate(6)));
      hits.write(Selection.points(new long[][] {{0, 1, 2}, {3, 40, 50}}), new float[] {1, 2});
      hits.setAttribute(Attribute.of("units", "ADU"));
    }
    try (H5File file = H5File.open(path)) {
      Dataset hits = file.dataset("/entry/hits");
      assertEquals("ADU", hits.attribute("units").orElseThrow().text());
      Selection found = hits.defined(Selection.all());
      assertArrayEquals(new long[] {0, 1, 2, 3, 40, 50}, found.toCoordinates(hits.shape()));
      assertArrayEquals(new float[] {1, 2}, hits.readFloats(found));
      assertArrayEquals(
          new float[] {0, 1, 0}, hits.readFloats(Selection.at(0, 1, 1).extent(1, 1, 3)));
    }
  }

  @Test
  void ranks_write_one_dense_dataset_together() {
    for (int ranks : new int[] {1, 2, 3, 4, 7}) {
      Path path = folder.resolve("dense" + ranks + ".h5");
      LocalRanks.run(
          ranks,
          world -> {
            try (H5File file = H5File.create(path, world)) {
              Dataset d =
                  file.createDataset(
                      "/d",
                      DatasetSpec.of(Datatype.I32, Shape.of(ranks * 3, 100))
                          .chunked(2, 30)
                          .filters(Filters.shuffle(), Filters.deflate(1)));
              int[] mine = new int[300];
              java.util.Arrays.setAll(mine, i -> world.rank() * 1000 + i);
              d.write(Selection.at(world.rank() * 3L, 0).extent(3, 100), mine);
            }
          });
      try (H5File file = H5File.open(path)) {
        int[] all = file.dataset("/d").readInts(Selection.all());
        for (int i = 0; i < all.length; i++) {
          assertEquals(i / 300 * 1000 + i % 300, all[i]);
        }
      }
    }
  }
}
