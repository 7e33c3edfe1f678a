package io.skerry.chunk.datatype.conversion;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import io.skerry.datatype.StringPadding;
import io.skerry.datatype.StringType;
import java.lang.foreign.MemorySegment;

/**
 * Converts text between fixed-size fields that differ in size or padding. Text that is too long for
 * its new field is truncated, even in the middle of a character, as in HDF5. A null-terminated
 * field reserves one byte for the NUL.
 */
final class StringConverter {
  private StringConverter() {}

  static Converter step(StringType from, StringType to) {
    return new Converter.FullWrite(
        to.size(),
        (in, out, elements) -> {
          for (long i = 0; i < elements; i++) {
            move(from, in, i * from.size(), to, out, i * to.size());
          }
        });
  }

  private static void move(
      StringType from, MemorySegment in, long inAt, StringType to, MemorySegment out, long outAt) {
    int room = to.padding() == StringPadding.NULL_TERMINATED ? to.size() - 1 : to.size();
    int length = Math.min(length(from, in, inAt), room);
    MemorySegment.copy(in, inAt, out, outAt, length);
    byte filler = (byte) (to.padding() == StringPadding.SPACE_PADDED ? ' ' : 0);
    for (int i = length; i < to.size(); i++) {
      out.set(JAVA_BYTE, outAt + i, filler);
    }
  }

  /**
   * Returns the length of the text in bytes: without trailing spaces if the field is padded with
   * spaces; otherwise up to the first NUL, or the size of the field if it contains no NUL.
   */
  private static int length(StringType type, MemorySegment in, long at) {
    if (type.padding() == StringPadding.SPACE_PADDED) {
      int length = type.size();
      while (length > 0 && in.get(JAVA_BYTE, at + length - 1) == ' ') {
        length--;
      }
      return length;
    }
    int length = 0;
    while (length < type.size() && in.get(JAVA_BYTE, at + length) != 0) {
      length++;
    }
    return length;
  }
}
