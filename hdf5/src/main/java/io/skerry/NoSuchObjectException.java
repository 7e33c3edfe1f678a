package io.skerry;

import io.skerry.chunk.text.PrintableText;
import io.skerry.mpi.AgreedFailure;
import io.skerry.mpi.Communicator;

/**
 * Thrown if no object exists at a path, or if the object at the path is not of the requested kind.
 * A collective method that opens an object throws this exception on all ranks; other collective
 * methods may throw a {@link io.skerry.parallel.CollectiveException} with this exception as its
 * cause. A local method throws it on its own rank.
 */
public final class NoSuchObjectException extends RuntimeException implements AgreedFailure {
  private static final long serialVersionUID = 1L;

  private final String path;
  private final Communicator.RankSet ranks;

  /**
   * Creates the exception. Local, thread-safe; does not fail.
   *
   * @param what the reason, as a clause
   * @param path the path that was requested, or the name of a soft link that leads to no object
   * @param file the path of the file
   * @param ranks the ranks that have the file open, which throw the exception together unless the
   *     failing method is local
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
   * Returns the path that was requested, or the name of a soft link that leads to no object. Local,
   * thread-safe; does not fail.
   *
   * @return the path, which may have been made absolute or shortened, or the name
   */
  public String path() {
    return path;
  }
}
