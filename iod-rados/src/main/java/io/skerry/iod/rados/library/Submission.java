package io.skerry.iod.rados.library;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Set;

/** A submitted operation. {@link #await} must be called exactly once. */
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
    boolean isSubmitted = false;
    try {
      int unused = Librados.checked(function, object, () -> call.run(completion));
      isSubmitted = true;
      return new Submission(library, completion, function, object, accepted);
    } finally {
      if (!isSubmitted) {
        release(library, completion);
      }
    }
  }

  private static void release(Librados library, MemorySegment completion) {
    Librados.run(() -> {
      library.releaseCompletion.invokeExact(completion);
    });
  }

  /**
   * Waits until the operation is complete; all replicas have then stored a change.
   *
   * @return the result of the operation, or a negative error number that is accepted
   * @throws RadosException if the operation failed with another error number
   */
  public int await() {
    int result =
        Librados.call(() -> {
          int unused = (int) library.awaitCompletion.invokeExact(completion);
          return (int) library.completionResult.invokeExact(completion);
        });
    release(library, completion);
    if (result < 0 && !accepted.contains(-result)) {
      throw new RadosException(function, object, -result);
    }
    return result;
  }
}
