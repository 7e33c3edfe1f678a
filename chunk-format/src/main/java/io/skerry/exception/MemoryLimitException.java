package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;

/**
 * Thrown if a request needs more memory than the process may use. Unless the method that throws it
 * states otherwise, the request has had no effect. The message names the JVM option that raises the
 * limit, if there is one.
 */
public final class MemoryLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long bytes;
  private final long limit;
  private final String option;

  /**
   * Creates an exception. Local, thread-safe; does not fail.
   *
   * @param purpose use of the memory, and the object to which the memory belongs
   * @param bytes number of bytes required
   * @param limit number of bytes that the process may use
   * @param option option of the JVM that raises the limit, or {@code none}
   */
  public MemoryLimitException(String purpose, long bytes, long limit, String option) {
    super(
        PrintableText.text(
            "more memory than the process may use: for="
                + purpose
                + " bytes="
                + bytes
                + " limit="
                + limit
                + " option="
                + option));
    this.bytes = bytes;
    this.limit = limit;
    this.option = option;
  }

  /** Returns the number of bytes required. Local, thread-safe; does not fail. */
  public long bytes() {
    return bytes;
  }

  /** Returns the number of bytes that the process may use. Local, thread-safe; does not fail. */
  public long limit() {
    return limit;
  }

  /**
   * Returns the JVM option that raises the limit, such as {@code -Xmx}; {@code none} if there is no
   * such option. Local, thread-safe; does not fail.
   */
  public String option() {
    return option;
  }
}
