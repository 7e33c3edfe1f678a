package io.skerry.datatype;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

  @Test
  void an_integer_of_more_than_2_to_the_31_bits_has_its_size_in_its_name_and_is_not_whole() {
    int size = (1 << 29) + 1;
    FixedPoint number = new FixedPoint(size, Endian.BIG, Signedness.SIGNED, 0, 8);
    assertTrue(number.toString().startsWith("i4294967304"), number.toString());
    BitField bits = new BitField(size, Endian.BIG, 0, 8, BitPadding.ZEROS);
    assertTrue(bits.toString().startsWith("bits4294967304"));
    assertTrue(new Time(size, Endian.BIG, 8).toString().startsWith("time4294967304"));
    assertFalse(number.isWhole());
  }
}
