package io.skerry.mpi;

import java.util.ArrayList;
import java.util.List;

/** A message under way. Belongs to the thread of its communicator. */
public interface Request {

  /** Whether the message is through; moves it along if it is not. Never waits. */
  boolean done();

  /** Waits until the message is through. A second call returns the same answer. */
  Received await();

  /** Awaits all, in order. If some fail, the first failure is thrown after all are through. */
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
