package io.skerry.benchmarks;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.benchmarks.RandomElementSizes.Published;
import io.skerry.benchmarks.RandomElementSizes.Sizes;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Compares the sizes of sparse chunks with random elements with those of dense chunks. */
class RandomElementSizesTest {
  @TempDir Path folder;

  @ParameterizedTest
  @EnumSource
  void a_sparse_chunk_with_random_elements_is_smaller_than_a_dense_one(Published published)
      throws IOException {
    Sizes sizes = new RandomElementSizes(folder).measure(published.density());
    assertTrue(sizes.deflated() < sizes.dense(), published + ": " + sizes);
    assertTrue(sizes.coded() < published.dense(), published + ": " + sizes);
  }
}
