package io.skerry.internal.value;

import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import io.skerry.datatype.VariableLength;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/** Decodes strings in elements. Bytes that are not valid UTF-8 become replacement characters. */
final class StringElements {
  private static final MemorySegment NOTHING = MemorySegment.ofArray(new byte[0]);

  private StringElements() {}

  static String fixed(StringType type, MemorySegment in, long at) {
    MemorySegment field = in.asSlice(at, type.size());
    return text(field, length(field, type.padding()));
  }

  static String variable(VariableLength type, MemorySegment in, long at, StoredContents contents) {
    MemorySegment content = content(type, in, at, contents);
    return text(content, content.byteSize());
  }

  /** Returns the bytes of a variable-length string; as in C, the string ends at the first NUL. */
  static MemorySegment content(
      VariableLength type, MemorySegment in, long at, StoredContents contents) {
    MemorySegment content = contents.variable(type, in, at).orElse(NOTHING);
    return content.asSlice(0, length(content, StringPadding.NULL_TERMINATED));
  }

  /** Returns the number of bytes of a field that belong to its string. */
  static long length(MemorySegment field, StringPadding padding) {
    if (padding == StringPadding.SPACE_PADDED) {
      long length = field.byteSize();
      while (length > 0 && field.get(ValueLayout.JAVA_BYTE, length - 1) == ' ') {
        length--;
      }
      return length;
    }
    long length = 0;
    while (length < field.byteSize() && field.get(ValueLayout.JAVA_BYTE, length) != 0) {
      length++;
    }
    return length;
  }

  /**
   * Returns the number of bytes that remain of the first {@code length} bytes of a field if
   * trailing NULs are removed.
   */
  static long withoutNuls(MemorySegment field, long length) {
    long left = length;
    while (left > 0 && field.get(ValueLayout.JAVA_BYTE, left - 1) == 0) {
      left--;
    }
    return left;
  }

  private static String text(MemorySegment field, long length) {
    return new String(
        field.asSlice(0, length).toArray(ValueLayout.JAVA_BYTE), StandardCharsets.UTF_8);
  }
}
