package io.skerry.parallel;

/**
 * Reports that a file is read at an epoch that its writer no longer keeps: a later flush may have
 * replaced blocks of this epoch, so the data that were read are not returned. The reader can
 * continue at the newest epoch. {@link FileOptions.LiveReaders} sets the number of epochs that a
 * writer keeps.
 */
public final class EpochExpiredException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final long epoch;

  /**
   * Creates an exception. Local, thread-safe; does not fail.
   *
   * @param message a message that names the file, the epoch and the oldest epoch that is kept
   * @param epoch the epoch at which the file was read
   */
  public EpochExpiredException(String message, long epoch) {
    super(message);
    this.epoch = epoch;
  }

  /**
   * Returns the epoch at which the file was read. Local, thread-safe; does not fail.
   *
   * @return the number of the epoch, at least 1
   */
  public long epoch() {
    return epoch;
  }
}
