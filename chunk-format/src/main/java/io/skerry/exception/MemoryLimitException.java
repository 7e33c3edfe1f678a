package io.skerry.exception;

import io.skerry.chunk.text.PrintableText;

/**
 * A request needs more memory than the process may use. Thrown before anything is changed, and
 * wherever the sizes are known beforehand, before anything is allocated. The option that it names
 * raises the limit.
 */
public final class MemoryLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long bytes;
  private final long limit;
  private final String option;

  /**
   * @param purpose use of the memory, with the object that it belongs to
   * @param bytes bytes that are needed
   * @param limit bytes that the process may use
   * @param option option of the JVM that raises the limit
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

  /** Bytes that are needed. */
  public long bytes() {
    return bytes;
  }

  /** Bytes that the process may use. */
  public long limit() {
    return limit;
  }

  /** Option of the JVM that raises the limit, such as {@code -Xmx}. */
  public String option() {
    return option;
  }
}
