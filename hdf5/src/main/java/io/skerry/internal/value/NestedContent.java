package io.skerry.internal.value;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.function.Supplier;

/**
 * Limits the amount of variable-length content that is nested in the variable-length content of one
 * element. In a valid file, the nested content of one element is not much larger than the total
 * stored content; without the limit, the traversal of content that contains itself would not
 * terminate. Different elements may share content.
 */
final class NestedContent {
  private static final long ALWAYS = 1L << 24;

  private final long limit;
  private int depth;
  private long met;

  NestedContent(StoredContents contents) {
    this.limit = ALWAYS + 4 * Math.min(contents.contentSize(), Long.MAX_VALUE / 8);
  }

  <T> T within(MemorySegment content, Supplier<T> read) {
    if (depth == 0) {
      met = 0;
    } else {
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
