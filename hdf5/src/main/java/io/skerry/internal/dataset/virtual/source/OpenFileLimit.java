package io.skerry.internal.dataset.virtual.source;

/**
 * Limits the open files of a pool of sources and of the pools of its files, which are sources that
 * contain virtual datasets themselves. Local, not thread-safe.
 */
final class OpenFileLimit {
  private final int most;
  private int open;

  /**
   * Creates the limit.
   *
   * @param most the maximum number of open files in all pools together; beyond it, files are closed
   */
  OpenFileLimit(int most) {
    this.most = most;
  }

  /** Counts a file that was opened. */
  void opened() {
    open++;
  }

  /** Counts a file that was closed. */
  void closed() {
    open--;
  }

  /** Returns whether more files are open than the limit. */
  boolean isExceeded() {
    return isExceededBy(0);
  }

  /** Returns whether more files would be open than the limit if some more were opened. */
  boolean isExceededBy(int more) {
    return open + more > most;
  }
}
