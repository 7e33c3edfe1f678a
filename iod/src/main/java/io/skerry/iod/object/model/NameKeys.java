package io.skerry.iod.object.model;

import io.skerry.chunk.bytes.StoredText;
import io.skerry.exception.FormatException;
import io.skerry.format.Bytes;
import io.skerry.iod.engine.Place;
import io.skerry.iod.object.PlaceNames;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Arrays;

/** Encodes names as keys: the text followed by a NUL. Local, thread-safe. */
public final class NameKeys {
  private NameKeys() {}

  /**
   * Returns the key of a name.
   *
   * @throws IllegalArgumentException if the name is empty, contains a NUL or is longer than 65,534
   *     bytes
   */
  public static Bytes encode(String name) {
    byte[] text = StoredText.encode(name);
    if (text.length == 0 || text.length >= Place.LONGEST_KEY || name.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "size of a name: expected=1 to 65534 bytes without NUL actual=" + text.length);
    }
    return Bytes.of(MemorySegment.ofArray(Arrays.copyOf(text, text.length + 1)));
  }

  /**
   * Returns the name of a key.
   *
   * @throws FormatException if the key does not have exactly one NUL, as its last byte, or the name
   *     is empty
   */
  public static String decode(Bytes key) {
    byte[] bytes = key.segment().toArray(ValueLayout.JAVA_BYTE);
    int end = 0;
    while (end < bytes.length && bytes[end] != 0) {
      end++;
    }
    if (end == 0 || end != bytes.length - 1) {
      throw new FormatException("key of a name", "text and a NUL", PlaceNames.key(key));
    }
    return StoredText.decode(Arrays.copyOf(bytes, end));
  }
}
