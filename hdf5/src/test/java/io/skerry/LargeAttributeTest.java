package io.skerry;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import java.lang.foreign.MemorySegment;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests the comparison of attributes that are too large to be written as text. */
class LargeAttributeTest {
  private static final int BYTES = 10_000_000;

  @Test
  void the_description_of_a_large_attribute_is_short_and_depends_on_each_byte() {
    Set<String> descriptions = new HashSet<>();
    for (int changed : new int[] {0, 1, BYTES / 2, BYTES - 1}) {
      Attribute attribute = attribute(BYTES, changed);
      assertTrue(attribute.describe().length() < 1000, () -> "length of " + attribute);
      assertEquals(attribute.describe(), attribute(BYTES, changed).describe());
      assertTrue(descriptions.add(attribute.describe()));
    }
  }

  @Test
  void the_description_of_a_small_attribute_contains_its_bytes() {
    assertTrue(attribute(3, 1).describe().endsWith("[0, 1, 0]"), attribute(3, 1)::describe);
  }

  @Test
  void attributes_are_equal_if_all_their_parts_are() {
    Attribute attribute = attribute(BYTES, 5);
    assertEquals(attribute, attribute(BYTES, 5));
    assertEquals(attribute.hashCode(), attribute(BYTES, 5).hashCode());
    assertNotEquals(attribute, attribute(BYTES, 6));
    byte[] bytes = attribute.bytes();
    Shape shape = attribute.shape();
    assertEquals(attribute, of("a", Datatype.U8, shape, bytes));
    assertNotEquals(attribute, of("b", Datatype.U8, shape, bytes));
    assertNotEquals(attribute, of("a", Datatype.I8, shape, bytes));
    assertNotEquals(attribute, of("a", Datatype.U8, Shape.of(BYTES / 2, 2), bytes));
  }

  private static Attribute attribute(int size, int changed) {
    byte[] bytes = new byte[size];
    bytes[changed] = 1;
    return of("a", Datatype.U8, Shape.of(size), bytes);
  }

  private static Attribute of(String name, Datatype type, Shape shape, byte[] bytes) {
    return Attribute.of(name, type, shape, MemorySegment.ofArray(bytes));
  }
}
