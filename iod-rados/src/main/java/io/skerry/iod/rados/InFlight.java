package io.skerry.iod.rados;

import io.skerry.iod.rados.library.RadosException;
import io.skerry.iod.rados.library.Submission;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Optional;

/**
 * Changes of several objects that were passed to the cluster at the same time. Local, thread-safe.
 */
final class InFlight {
  private final Deque<Submission> submissions;
  private Optional<RadosException> failure;

  /**
   * Creates changes in flight.
   *
   * @param submissions the changes that were passed to the cluster
   * @param failure the failure to pass on another change; empty if there was none
   */
  InFlight(Collection<Submission> submissions, Optional<RadosException> failure) {
    this.submissions = new ArrayDeque<>(submissions);
    this.failure = failure;
  }

  /**
   * Waits until each change is stored or has failed. Returns immediately if it was called before.
   */
  synchronized void settle() {
    while (!submissions.isEmpty()) {
      try {
        int unused = submissions.remove().await();
      } catch (RadosException e) {
        failure = Optional.of(failure.orElse(e));
      }
    }
  }

  /**
   * Waits as {@link #settle} does.
   *
   * @throws RadosException if a change failed; the others are stored or have failed as well
   */
  synchronized void await() {
    settle();
    if (failure.isPresent()) {
      throw failure.get();
    }
  }
}
