package io.skerry.collective.step;

import io.skerry.parallel.Operation;

/**
 * The thread that a rank's collective operations belong to where there are several ranks: they have
 * to begin the same ones in the same order, and MPI is called from one thread. A rank that is alone
 * lets any thread in.
 *
 * @param thread who opened the file
 * @param ranks how many have it open
 * @param file named in the refusal
 */
public record OwnerThread(Thread thread, int ranks, String file) {
  /** The calling thread. */
  static OwnerThread here(int ranks, String file) {
    return new OwnerThread(Thread.currentThread(), ranks, file);
  }

  /**
   * Lets the owner pass. Nothing was sent yet, so that a refusal disturbs no other rank.
   *
   * @throws IllegalStateException on any other thread, if there are several ranks
   */
  public void require(Operation operation, String subject) {
    Thread caller = Thread.currentThread();
    if (ranks > 1 && !caller.equals(thread)) {
      throw new IllegalStateException(
          "a collective operation belongs to the thread that opened the file: operation="
              + operation
              + " thread="
              + caller.getName()
              + " owner="
              + thread.getName()
              + " ranks="
              + ranks
              + " file="
              + file
              + (subject.isEmpty() ? "" : " object=" + subject));
    }
  }
}
