package io.skerry.iod.rados.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/** A submitted operation. Either {@link #await} or {@link #settle} must be called exactly once. */
public final class Submission {
  private final Librados library;
  private final MemorySegment completion;
  private final String function;
  private final String object;
  private final Set<Integer> accepted;

  /** A call that submits an operation, and returns a negative error number if it cannot. */
  @FunctionalInterface
  interface Call {
    int run(MemorySegment completion) throws Throwable;
  }

  private Submission(
      Librados library,
      MemorySegment completion,
      String function,
      String object,
      Set<Integer> accepted) {
    this.library = library;
    this.completion = completion;
    this.function = function;
    this.object = object;
    this.accepted = accepted;
  }

  /**
   * Submits an operation.
   *
   * @param function the function that the call executes, for messages
   * @param object the object, for messages
   * @param accepted the error numbers that do not count as failures
   * @param call the call that submits the operation
   */
  static Submission of(
      Librados library, String function, String object, Set<Integer> accepted, Call call) {
    MemorySegment completion;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment made = arena.allocate(ValueLayout.ADDRESS);
      int unused =
          Librados.checked(
              "rados_aio_create_completion2",
              object,
              () ->
                  (int)
                      library.createCompletion.invokeExact(
                          MemorySegment.NULL, MemorySegment.NULL, made));
      completion = made.get(ValueLayout.ADDRESS, 0);
    }
    // Nothing may fail after the operation is submitted, since the caller would not await it.
    Submission submission = new Submission(library, completion, function, object, accepted);
    boolean isSubmitted = false;
    try {
      int unused = Librados.checked(function, object, () -> call.run(completion));
      isSubmitted = true;
      return submission;
    } finally {
      if (!isSubmitted) {
        submission.release();
      }
    }
  }

  // The method handles declare Throwable. A lambda for Librados.run would allocate, and a full heap
  // would then end the wait for other operations while the library uses memory of the caller.

  private void release() {
    try {
      library.releaseCompletion.invokeExact(completion);
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    }
  }

  /** Waits until the operation is complete, and ignores its result. */
  void settle() {
    int unused = result();
  }

  /** Waits until the operation is complete, and returns its result. */
  private int result() {
    int result;
    try {
      int unused = (int) library.awaitCompletion.invokeExact(completion);
      result = (int) library.completionResult.invokeExact(completion);
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    }
    release();
    return result;
  }

  /**
   * Waits until the operation is complete; all replicas have then stored a change.
   *
   * @return the result of the operation, or a negative error number that is accepted
   * @throws RadosException if the operation failed with another error number
   */
  public int await() {
    int result = result();
    if (result < 0 && !accepted.contains(-result)) {
      throw new RadosException(function, object, -result);
    }
    return result;
  }
}
