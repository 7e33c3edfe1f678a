package io.skerry.mpi;

import java.util.ArrayList;
import java.util.List;

/**
 * A nonblocking send or receive, for use only by the thread that owns the communicator. A call from
 * another thread, or after the communicator has been closed or MPI has ended, throws {@link
 * IllegalStateException}; if the transfer has already ended, or the communicator has only one rank,
 * the call may return the result of the transfer instead. Completing a receive also throws an
 * {@link IllegalStateException} if the arena of the buffer has been closed in the meantime and the
 * back end detects this. Among ranks of {@link LocalRanks}, a {@link Schedule} can inject a {@link
 * Schedule.InjectedFailure} into a call on a request that is not complete.
 */
public interface Request {

  /**
   * Returns whether the transfer has ended, and advances the transfer if it has not. Never waits
   * for the transfer. If the transfer has ended with a failure, {@link #await} throws that failure.
   * Local, not thread-safe.
   *
   * @return true if the transfer has ended, successfully or not
   * @throws MpiException if no earlier call has found that the transfer has ended, and the
   *     transport, or another rank of {@link LocalRanks}, has failed
   */
  boolean done();

  /**
   * Waits until the transfer is complete, without a time limit. A second call returns the same
   * result. Local, not thread-safe.
   *
   * @return the source, the tag and the number of bytes of the message
   * @throws MpiException of class {@link MpiErrorClass#TRUNCATED} if the message is longer than the
   *     receive buffer; of a different class if the transport, or another rank of {@link
   *     LocalRanks}, has failed
   */
  Received await();

  /**
   * Waits for all requests, in order, and returns their results in the same order. If requests have
   * failed, throws the first failure after all requests have ended, with the others suppressed.
   * Local, not thread-safe.
   *
   * @param requests the requests, which may belong to different communicators
   * @return an immutable list of the results
   * @throws MpiException if a transfer has failed
   * @throws IllegalStateException as for a single request; the requests after that one are then not
   *     awaited
   * @throws Schedule.InjectedFailure as for a single request; the requests after that one are then
   *     not awaited
   */
  static List<Received> awaitAll(List<? extends Request> requests) {
    var received = new ArrayList<Received>(requests.size());
    var failures = new ArrayList<MpiException>();
    for (Request request : requests) {
      try {
        received.add(request.await());
      } catch (MpiException failure) {
        failures.add(failure);
      }
    }
    if (!failures.isEmpty()) {
      var first = failures.getFirst();
      failures.stream().skip(1).filter(other -> other != first).forEach(first::addSuppressed);
      throw first;
    }
    return List.copyOf(received);
  }
}
