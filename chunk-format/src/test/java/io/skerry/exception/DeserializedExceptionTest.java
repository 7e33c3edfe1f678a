package io.skerry.exception;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Tests that exceptions keep their parts when Java serializes them, for example to another JVM. */
class DeserializedExceptionTest {
  private static <T> T copied(T exception, Class<T> type)
      throws IOException, ClassNotFoundException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(exception);
    }
    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      return type.cast(in.readObject());
    }
  }

  @Test
  void a_deserialized_format_exception_has_its_location() throws Exception {
    FormatException copy =
        copied(
            new FormatException("level", "0..9", 12)
                .inFile("a.h5")
                .atAddress(96)
                .inObject("/d")
                .inPart("section 1"),
            FormatException.class);
    assertEquals(Optional.of("a.h5"), copy.file());
    assertEquals(OptionalLong.of(96), copy.address());
    assertEquals(Optional.of("/d"), copy.object());
    assertEquals(
        "section 1: level: expected=0..9 actual=12 object=/d address=0x60 file=a.h5",
        copy.getMessage());
    FormatException bare =
        copied(new FormatException("level", "0..9", 12), FormatException.class).inFile("b.h5");
    assertEquals(Optional.of("b.h5"), bare.file());
    assertEquals(OptionalLong.empty(), bare.address());
  }

  @Test
  void a_deserialized_refusal_of_a_feature_has_its_file() throws Exception {
    UnsupportedFeatureException copy =
        copied(
            new UnsupportedFeatureException("filter 9", "/d").inFile("a.h5"),
            UnsupportedFeatureException.class);
    assertEquals(Optional.of("a.h5"), copy.file());
    assertEquals("not supported: feature=filter 9 where=/d file=a.h5", copy.again().getMessage());
  }
}
