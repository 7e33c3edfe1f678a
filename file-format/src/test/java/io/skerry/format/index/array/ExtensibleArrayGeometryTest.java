package io.skerry.format.index.array;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.format.block.Widths;
import io.skerry.format.layout.ExtensibleArrayParameters;
import org.junit.jupiter.api.Test;

class ExtensibleArrayGeometryTest {
  private static ExtensibleArrayGeometry geometry(int maxBits, int inIndexBlock, int minElements) {
    ExtensibleArrayParameters parameters =
        new ExtensibleArrayParameters(maxBits, inIndexBlock, 4, minElements, 10);
    return new ExtensibleArrayGeometry(parameters, 8, 14, Widths.EIGHT).checked();
  }

  @Test
  void the_capacity_of_an_array_of_the_greatest_index_does_not_overflow() {
    for (int minElements : new int[] {1, 16, 128}) {
      ExtensibleArrayGeometry large = geometry(62, 255, minElements);
      assertEquals(Long.MAX_VALUE, large.capacity(), "minElements=" + minElements);
      assertEquals(-1, large.locate(0).superBlock());
    }
    assertEquals((1L << 33) - 16 + 4, geometry(32, 4, 16).capacity());
  }
}
