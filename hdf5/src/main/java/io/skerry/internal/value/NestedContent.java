package io.skerry.internal.value;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Limits the number of bytes read from variable-length content that is nested in other
 * variable-length content. Without a limit, the traversal of an object that contains itself would
 * not end.
 */
final class NestedContent {
  private static final long ALWAYS = 1L << 24;

  private final long limit;
  private int depth;
  private long met;

  NestedContent(StoredContents contents) {
    this.limit = ALWAYS + 4 * Math.min(contents.fileSize(), Long.MAX_VALUE / 8);
  }

  <T> T within(MemorySegment content, Supplier<T> read) {
    if (depth > 0) {
      met += content.byteSize();
      if (met > limit) {
        throw new FormatException(
            "nested variable-length content in circles", "at most " + limit + " bytes", met);
      }
    }
    depth++;
    try {
      return read.get();
    } finally {
      depth--;
    }
  }
}
