package io.skerry.internal.value;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.datatype.Endian;
import io.skerry.datatype.FixedPoint;
import io.skerry.datatype.Opaque;
import io.skerry.datatype.Signedness;
import io.skerry.exception.UnsupportedFeatureException;
import org.junit.jupiter.api.Test;

class PackedArraysTest {
  @Test
  void elements_of_any_number_that_no_array_holds_are_not_supported() {
    Datatype large = new Opaque(1 << 30, "");
    for (long elements : new long[] {2, 1L << 33, 1L << 40, Long.MAX_VALUE}) {
      UnsupportedFeatureException e =
          assertThrows(
              UnsupportedFeatureException.class, () -> PackedArrays.buffer(elements, large));
      assertTrue(e.getMessage().contains("elements=" + elements + " "), e.getMessage());
    }
    assertEquals(24, PackedArrays.buffer(3, Datatype.I64).byteSize());
  }

  @Test
  void converted_values_that_no_array_holds_are_not_supported() {
    FixedPoint wide = FixedPoint.of(1 << 12, Signedness.SIGNED, Endian.LITTLE);
    assertThrows(UnsupportedFeatureException.class, () -> PackedArrays.of(wide, new long[1 << 19]));
  }
}
