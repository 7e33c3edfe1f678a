package io.skerry.cache;

import java.io.Serial;

/**
 * Reports that a thread was interrupted while its request waited for other requests. The request
 * has no effect, except that a read may have filled a part of the memory, and that of a write
 * larger than the cache the completed parts are kept. The interrupt flag of the thread is set.
 */
public final class RequestInterruptedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an exception and sets the interrupt flag of the thread again, which the cause had
   * cleared. Local, thread-safe; does not fail.
   */
  public RequestInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
    Thread.currentThread().interrupt();
  }
}
