package io.skerry.mpi;

import java.io.Serial;

/** Thrown by a rank where its {@link Schedule} says so. */
public final class InjectedFailure extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  /**
   * @param rank the rank, in the world communicator
   * @param call the index of the call, counted from 0 on that rank
   */
  public InjectedFailure(int rank, long call, String operation) {
    super("injected failure: rank=%d call=%d operation=%s".formatted(rank, call, operation));
  }
}
