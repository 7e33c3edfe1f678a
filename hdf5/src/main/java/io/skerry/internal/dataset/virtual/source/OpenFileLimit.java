package io.skerry.internal.dataset.virtual.source;

/**
 * Limits the total number of open files in a pool of sources and in the nested pools of those
 * sources that themselves contain virtual datasets. Local, not thread-safe.
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

  /** Records that a file was opened. */
  void opened() {
    open++;
  }

  /** Records that a file was closed. */
  void closed() {
    open--;
  }

  /** Returns whether the number of open files exceeds the limit. */
  boolean isExceeded() {
    return isExceededBy(0);
  }

  /** Returns whether opening {@code more} files would exceed the limit. */
  boolean isExceededBy(int more) {
    return open + more > most;
  }
}
