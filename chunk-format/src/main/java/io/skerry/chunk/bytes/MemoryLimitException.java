package io.skerry.chunk.bytes;

/**
 * A block of memory is larger than the heap of the process may become. Thrown before anything is
 * allocated; a larger heap ({@code -Xmx}) is the remedy.
 */
public final class MemoryLimitException extends IllegalStateException {
  private static final long serialVersionUID = 1L;

  private final long bytes;
  private final long limit;

  /**
   * @param bytes size of the block
   * @param limit bytes of the largest heap
   */
  public MemoryLimitException(long bytes, long limit) {
    super(
        "more memory than the process may use: bytes="
            + bytes
            + " heapLimit="
            + limit
            + " option=-Xmx");
    this.bytes = bytes;
    this.limit = limit;
  }

  /** Bytes of the block. */
  public long bytes() {
    return bytes;
  }

  /** Bytes of the largest heap. */
  public long limit() {
    return limit;
  }
}
