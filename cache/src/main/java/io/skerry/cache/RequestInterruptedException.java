package io.skerry.cache;

import java.io.Serial;

/**
 * Thrown if a thread was interrupted while its request waited for other requests, or for another
 * thread to store chunks. The request has no effect, with two exceptions: a read may have filled
 * part of its destination, and the completed parts of a write or erasure that is larger than the
 * cache remain in effect. The interrupt flag of the thread is set.
 */
public final class RequestInterruptedException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates an exception, and sets the interrupt flag of the calling thread again, because the flag
   * was cleared when the cause was thrown. Local, thread-safe; does not fail.
   *
   * @param message a message that describes the interrupted wait
   * @param cause the exception that ended the wait
   */
  public RequestInterruptedException(String message, InterruptedException cause) {
    super(message, cause);
    Thread.currentThread().interrupt();
  }
}
