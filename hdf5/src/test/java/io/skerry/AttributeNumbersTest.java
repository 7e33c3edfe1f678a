package io.skerry;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.datatype.Datatype;
import io.skerry.selection.Shape;
import io.skerry.value.Contents;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AttributeNumbersTest {
  @Test
  void fewer_bytes_than_elements_are_refused_before_memory_is_allocated() {
    for (Attribute attribute :
        List.of(
            new Attribute("a", Datatype.I8, Shape.of(2_000_000_000), new byte[0]),
            new Attribute("a", Datatype.I8, Shape.of(Integer.MAX_VALUE), new byte[9]),
            new Attribute("a", Datatype.I8, Shape.of(1L << 62, 2), new byte[9]),
            new Attribute("a", Datatype.F64, Shape.of(2), new byte[15]))) {
      for (IllegalArgumentException refusal :
          List.of(
              assertThrows(IllegalArgumentException.class, attribute::longs),
              assertThrows(IllegalArgumentException.class, attribute::doubles))) {
        assertTrue(refusal.getMessage().contains("="), refusal.toString());
      }
    }
  }

  @Test
  void more_elements_than_can_be_counted_are_refused_as_an_argument(@TempDir Path folder) {
    Attribute attribute = new Attribute("a", Datatype.I8, Shape.of(1L << 62, 4), new byte[9]);
    try (H5File file = H5File.create(folder.resolve("contents.h5"))) {
      Contents contents = file.contents();
      assertThrows(IllegalArgumentException.class, () -> attribute.values(contents));
    }
  }

  @Test
  void attributes_without_elements_have_no_numbers() {
    assertArrayEquals(new long[0], Attribute.empty("a", Datatype.F64).longs());
    assertArrayEquals(
        new double[0], new Attribute("a", Datatype.I8, Shape.of(0), new byte[0]).doubles());
    assertArrayEquals(new double[] {1, 2}, Attribute.of("a", new long[] {1, 2}).doubles());
  }
}
