package io.skerry.iod.encoding.property;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.skerry.iod.encoding.EncodedDataspace;
import io.skerry.iod.encoding.EncodedDatatype;
import io.skerry.iod.encoding.Encoding;
import io.skerry.selection.SelectionEncoding;
import java.lang.foreign.MemorySegment;

/** Decodes what the library encoded, and encodes the result. */
final class RoundTrip {
  private RoundTrip() {}

  static void check(Encoding sample) {
    MemorySegment bytes = MemorySegment.ofArray(sample.bytes());
    String again =
        switch (sample.kind()) {
          case "type" -> again(sample, EncodedDatatype.encode(EncodedDatatype.decode(bytes)));
          case "space" ->
              again(sample, EncodedDataspace.decode(bytes).encode(versions(sample.name())));
          case "plist" -> again(sample, PropertyList.decode(bytes).encode());
          default -> throw new IllegalArgumentException("kind: kind=" + sample.kind());
        };
    if (sample.name().equals("opened virtual")) {
      // The library encodes the extents of virtual datasets in the version in which it read them.
      assertEquals(
          PropertyList.decode(bytes),
          PropertyList.decode(MemorySegment.ofArray(Encoding.parse(again).bytes())));
    } else {
      assertEquals(line(sample), again);
    }
  }

  private static SelectionEncoding versions(String name) {
    return name.endsWith("@latest")
        ? SelectionEncoding.LIBRARY_V112
        : SelectionEncoding.LIBRARY_EARLIEST;
  }

  private static String again(Encoding sample, byte[] bytes) {
    return line(Encoding.of(sample.kind(), sample.name(), bytes));
  }

  private static String line(Encoding encoding) {
    return encoding.kind() + "\t" + encoding.name() + "\t" + encoding.hex();
  }
}
