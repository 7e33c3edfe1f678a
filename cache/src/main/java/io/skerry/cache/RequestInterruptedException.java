package io.skerry.cache;

import java.io.Serial;

/**
 * A thread was interrupted while its request waited for others. The request has left as if it had
 * never come, but that what was to be read may be there in part, and that of a write which is
 * larger than the cache the parts that were done stay. The thread's interrupt flag is set.
 */
public final class RequestInterruptedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /** Sets the interrupt flag again, which the cause had cleared. */
  public RequestInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
    Thread.currentThread().interrupt();
  }
}
