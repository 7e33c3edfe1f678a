package io.skerry.internal.verify;

/**
 * Carries an exception or error that the caller's watcher has thrown to the caller of the
 * verification. Thrown as it is, it could be mistaken for damage of the file, which may cause an
 * exception of the same class.
 */
final class WatcherFailure extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final Throwable thrown;

  private WatcherFailure(Throwable thrown) {
    super(thrown);
    this.thrown = thrown;
  }

  /** Calls the watcher. */
  static void carrying(Runnable call) {
    try {
      call.run();
    } catch (RuntimeException | Error e) {
      throw new WatcherFailure(e);
    }
  }

  /**
   * Returns the exception that the watcher has thrown. Exceptions that closing the file has caused
   * since then are suppressed in it.
   *
   * @throws Error if the watcher has thrown an error
   */
  RuntimeException thrown() {
    for (Throwable later : getSuppressed()) {
      thrown.addSuppressed(later);
    }
    if (thrown instanceof Error error) {
      throw error;
    }
    return (RuntimeException) thrown;
  }
}
