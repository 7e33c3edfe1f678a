package io.skerry.format.dense;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;

/**
 * Limits the total size of the objects that a traversal of an index reads, since damaged records
 * may all refer to one large object.
 */
final class ReadBudget {
  private final long limit;
  private final String what;
  private final String file;
  private long spent;

  ReadBudget(long limit, String what, String file) {
    this.limit = limit;
    this.what = what;
    this.file = file;
  }

  /**
   * Adds the size of an object to the total and returns the object.
   *
   * @throws FormatException if the total exceeds the limit
   */
  MemorySegment charge(MemorySegment object) {
    spent += object.byteSize();
    if (spent > limit) {
      throw new FormatException("bytes of all " + what, "at most " + limit, "more").inFile(file);
    }
    return object;
  }
}
