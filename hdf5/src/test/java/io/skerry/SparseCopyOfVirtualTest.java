package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.SparsityConversion.Kind;
import io.skerry.datatype.Datatype;
import io.skerry.format.Bytes;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.LocalRanks;
import io.skerry.selection.Selection;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the conversion of a virtual dataset with sparse sources to sparse storage. */
class SparseCopyOfVirtualTest {
  private static final Selection WRITTEN =
      Selection.points(new long[][] {{0, 1}, {2, 2}, {3, 0}, {3, 3}});

  @TempDir Path folder;

  @BeforeEach
  void creates_a_virtual_dataset_in_which_a_defined_element_has_the_fill_value() {
    try (H5File file = H5File.create(folder.resolve("source.h5"))) {
      file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(4, 4)).sparse(2, 2))
          .write(WRITTEN, new int[] {1, 0, 5, 2});
    }
    try (H5File file = H5File.create(folder.resolve("virtual.h5"))) {
      VirtualLayout layout =
          VirtualLayout.builder()
              .map(Selection.at(1, 0).extent(4, 4), VirtualSource.of("source.h5", "/d"))
              .build();
      Dataset unused =
          file.createDataset("d", DatasetSpec.of(Datatype.I32, Shape.of(6, 4)).virtual(layout));
    }
  }

  private long copy(int ranks, Optional<Bytes> undefined) {
    List<Long> counted = LocalRanks.call(ranks, world -> copy(world, undefined));
    return counted.stream().mapToLong(Long::longValue).sum();
  }

  private long copy(Communicator world, Optional<Bytes> undefined) {
    long[] counted = {0};
    try (H5File source = H5File.open(folder.resolve("virtual.h5"), world);
        H5File target = H5File.create(folder.resolve("copy.h5"), world)) {
      SparsityConversion change =
          new SparsityConversion(Kind.DENSE_TO_SPARSE, undefined, more -> counted[0] += more);
      ObjectCopier.between(source, target)
          .storing("/d", StorageChange.none().withChunk(List.of(3L, 3L)).redefining(change))
          .copyAll();
    }
    return counted[0];
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void the_copy_defines_the_elements_that_the_sources_define(int ranks) {
    assertEquals(0, copy(ranks, Optional.empty()));
    try (H5File file = H5File.open(folder.resolve("copy.h5"))) {
      Dataset copy = file.dataset("d");
      assertTrue(copy.isSparse());
      assertEquals(WRITTEN.shift(1, 0).union(Selection.at(1, 1)), copy.defined(Selection.all()));
      assertEquals(0, copy.readInts(Selection.at(3, 2))[0]);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void a_given_value_leaves_elements_out(int ranks) {
    assertEquals(
        1, copy(ranks, Optional.of(Bytes.of(MemorySegment.ofArray(new byte[] {5, 0, 0, 0})))));
    try (H5File file = H5File.open(folder.resolve("copy.h5"))) {
      assertEquals(3, file.dataset("d").defined(Selection.all()).count(Shape.of(6, 4)));
    }
  }
}
