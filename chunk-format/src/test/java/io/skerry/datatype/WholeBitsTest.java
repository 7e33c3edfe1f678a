package io.skerry.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the sizes of integers and bit fields that use all bits of their elements. */
class WholeBitsTest {
  @Test
  void the_largest_element_has_8191_bytes() {
    assertEquals(65_528, FixedPoint.of(8191, Signedness.SIGNED, Endian.LITTLE).precision());
    assertEquals(65_528, BitField.of(8191, Endian.BIG).precision());
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 8192, (1 << 28) + 1, (1 << 29) + 1})
  void other_sizes_are_refused_also_where_their_bits_overflow(int size) {
    assertThrows(
        IllegalArgumentException.class,
        () -> FixedPoint.of(size, Signedness.UNSIGNED, Endian.LITTLE));
    assertThrows(IllegalArgumentException.class, () -> BitField.of(size, Endian.LITTLE));
  }
}
