package io.skerry;

import io.skerry.chunk.text.PrintableText;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;

/**
 * Thrown if no object exists at a path, or if the object at the path is not of the requested kind.
 * A collective method that opens an object throws this exception on all ranks; other collective
 * methods may throw a {@link io.skerry.parallel.CollectiveException} with this exception as its
 * cause.
 */
public final class NoSuchObjectException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final Communicator.RankSet ranks;

  /**
   * Creates the exception. Local, thread-safe; does not fail.
   *
   * @param what the reason, as a clause
   * @param path the path that was requested
   * @param file the path of the file
   * @param ranks the ranks that throw the exception: those that have the file open
   */
  public NoSuchObjectException(String what, String path, String file, Communicator.RankSet ranks) {
    super(PrintableText.text(what + ": path=" + path + " file=" + file));
    this.path = path;
    this.ranks = ranks;
  }

  @Override
  public Communicator.RankSet agreedRanks() {
    return ranks;
  }

  /**
   * Returns the path that was requested. Local, thread-safe; does not fail.
   *
   * @return the path, as passed to the failing method
   */
  public String path() {
    return path;
  }
}
