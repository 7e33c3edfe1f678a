package io.skerry.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IeeeTest {
  @Test
  void the_largest_bias_is_that_of_33_exponent_bits() {
    assertEquals(0xffffffffL, FloatingPoint.ieee(16, 52, 33, Endian.LITTLE).bias());
    assertEquals(0, FloatingPoint.ieee(16, 52, 1, Endian.LITTLE).bias());
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0, 34, 63, 64, 65, 66, 97, 98, 255})
  void other_numbers_of_exponent_bits_are_refused(int exponentBits) {
    assertThrows(
        IllegalArgumentException.class,
        () -> FloatingPoint.ieee(64, 52, exponentBits, Endian.LITTLE));
  }
}
