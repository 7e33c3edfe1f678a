package io.skerry.collective.step;

import io.skerry.parallel.Operation;
import java.util.Optional;

/**
 * The thread that may begin collective operations on a file. With several ranks, it is the thread
 * that opened the file, since all ranks must begin the same operations in the same order. With a
 * single rank, any thread may begin them.
 *
 * @param thread the owner; empty if any thread may begin operations
 * @param ranks the number of ranks that have the file open
 * @param file the name of the file, for messages
 */
public record OwnerThread(Optional<Thread> thread, int ranks, String file) {
  /**
   * Returns an instance whose owner is the calling thread, or an instance without an owner if there
   * is only one rank.
   */
  static OwnerThread here(int ranks, String file) {
    return new OwnerThread(
        ranks == 1 ? Optional.empty() : Optional.of(Thread.currentThread()), ranks, file);
  }

  /**
   * Throws an exception if the calling thread is not the owner. Nothing has been sent yet, so the
   * other ranks are not affected.
   *
   * @throws IllegalStateException on any other thread, if there are several ranks
   */
  public void require(Operation operation, String subject) {
    Thread caller = Thread.currentThread();
    if (thread.isPresent() && !caller.equals(thread.get())) {
      throw new IllegalStateException(
          "a collective operation belongs to the thread that opened the file: operation="
              + operation
              + " thread="
              + caller.getName()
              + " owner="
              + thread.get().getName()
              + " ranks="
              + ranks
              + " file="
              + file
              + (subject.isEmpty() ? "" : " object=" + subject));
    }
  }
}
