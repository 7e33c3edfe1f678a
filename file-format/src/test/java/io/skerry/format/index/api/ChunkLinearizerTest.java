package io.skerry.format.index.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.selection.Shape;
import org.junit.jupiter.api.Test;

class ChunkLinearizerTest {
  @Test
  void a_chunk_whose_number_does_not_fit_into_64_bits_is_refused_with_a_reason() {
    Shape shape = Shape.of(new long[] {3, 1}, new long[] {Shape.UNLIMITED, 1L << 62});
    ChunkLinearizer numbers = ChunkLinearizer.of(shape, Shape.of(1, 1));
    assertEquals(1L << 62, numbers.position(new long[] {1, 0}));
    for (long[] scaled : new long[][] {{2, 0}, {1L << 40, 5}}) {
      assertThrows(UnsupportedFeatureException.class, () -> numbers.position(scaled));
    }
  }
}
