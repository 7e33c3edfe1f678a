package io.skerry.mpi;

import java.io.Serial;

/** A failure that a {@link Schedule} injected into a rank. */
public final class InjectedFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * Creates the failure of one rank.
   *
   * @param rank the rank in the world communicator
   * @param call the index of the call, counted from 0 on that rank
   * @param operation the name of the call
   */
  public InjectedFailure(int rank, long call, String operation) {
    super("injected failure: rank=%d call=%d operation=%s".formatted(rank, call, operation));
  }
}
