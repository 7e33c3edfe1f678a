package io.skerry.mpi;

import java.util.ArrayList;
import java.util.List;

/** A nonblocking send or receive, used by the thread of its communicator. */
public interface Request {

  /**
   * Returns whether the transfer is complete, and advances it if not. Never waits. Local.
   *
   * @throws MpiException if the transfer has failed
   */
  boolean done();

  /**
   * Waits until the transfer is complete. A second call returns the same result. Not collective.
   *
   * @throws MpiException if the transfer has failed
   */
  Received await();

  /**
   * Waits for all requests, in order, then throws the first failure if there was one. Not
   * collective.
   *
   * @throws MpiException if a transfer has failed
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
