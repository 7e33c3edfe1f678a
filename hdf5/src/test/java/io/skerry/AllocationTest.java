package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.filter.Filters;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.parallel.CollectiveException;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the time at which datasets allocate space. */
class AllocationTest {
  private static final DatasetSpec SPEC = DatasetSpec.of(Datatype.I32, Shape.of(10, 10));

  @TempDir Path folder;

  @Test
  void early_allocation_of_a_sparse_dataset_is_refused_with_the_reason() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> SPEC.sparse(5, 5).allocation(DatasetSpec.Allocation.EARLY));
    assertTrue(refused.getMessage().contains("as large as what was written"), refused.getMessage());
  }

  @Test
  void more_bytes_than_a_file_can_have_are_refused_without_chunks() {
    DatasetSpec large = DatasetSpec.of(Datatype.I32, Shape.of(1L << 31, 1L << 31));
    assertThrows(IllegalArgumentException.class, large::compact);
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, large::contiguous);
    assertTrue(refused.getMessage().contains("elementSize=4"), refused.getMessage());
    try (H5File file = H5File.create(folder.resolve("large.h5"), Communicator.self())) {
      CollectiveException all =
          assertThrows(CollectiveException.class, () -> file.createDataset("/large", large));
      assertTrue(all.reason().contains("exceed 2^63-1"), all.reason());
      Dataset sparse = file.createDataset("/sparse", large.sparse(1 << 14, 1 << 14));
      assertEquals(1L << 62, sparse.shape().elements());
    }
  }

  @Test
  void early_allocation_of_filtered_or_growing_chunks_is_refused() {
    DatasetSpec filtered = SPEC.chunked(5, 5).filters(Filters.deflate(1));
    DatasetSpec growing = DatasetSpec.of(Datatype.I32, Shape.of(10, 10).unlimited(0)).chunked(5, 5);
    for (DatasetSpec spec : List.of(filtered, growing, SPEC)) {
      assertThrows(
          UnsupportedFeatureException.class, () -> spec.allocation(DatasetSpec.Allocation.EARLY));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void unfiltered_chunks_are_allocated_when_the_dataset_is_created(int ranks) {
    Path path = folder.resolve("early.h5");
    LocalRanks.run(
        ranks,
        world -> {
          try (H5File file = H5File.create(path, world)) {
            DatasetSpec spec =
                SPEC.chunked(4, 4)
                    .fillValue(new byte[] {7, 0, 0, 0})
                    .allocation(DatasetSpec.Allocation.EARLY);
            Dataset dataset = file.createDataset("/d", spec);
            file.flush();
            assertEquals(9 * 64, dataset.usage().dataBytes());
            dataset.write(
                world.rank() == 0 ? Selection.at(9, 9) : Selection.none(),
                world.rank() == 0 ? new int[] {1} : new int[0]);
          }
        });
    List<Verification.Finding> findings = new ArrayList<>();
    SpaceReport unused = Verification.of(path, findings::add);
    assertEquals(List.of(), findings);
    try (H5File file = H5File.open(path)) {
      int[] row = file.dataset("/d").readInts(Selection.at(9, 0).extent(1, 10));
      assertArrayEquals(new int[] {7, 7, 7, 7, 7, 7, 7, 7, 7, 1}, row);
    }
  }
}
