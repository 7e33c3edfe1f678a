package io.skerry.collective.share;

import java.util.Optional;

/**
 * Ends an attempt at a read that needs the file itself as a source while ranks may have unflushed
 * changes. The ranks then flush the file and repeat the read; the caller of the read never receives
 * this exception.
 */
public final class UnstoredChangesException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates the exception. */
  public UnstoredChangesException() {
    super("the read needs changes of this file that are not stored yet");
  }

  /** Returns whether an exception is of this class or was caused by one. */
  static boolean isCauseOf(Throwable failure) {
    Optional<Throwable> cause = Optional.of(failure);
    while (cause.isPresent()) {
      if (cause.get() instanceof UnstoredChangesException) {
        return true;
      }
      cause = Optional.ofNullable(cause.get().getCause());
    }
    return false;
  }
}
