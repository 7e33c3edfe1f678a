package io.skerry.iod.rados.library;

import java.lang.foreign.MemorySegment;
import java.util.Set;

/** A submitted change. {@link #await} must be called exactly once. */
public final class Submission {
  private final Librados library;
  private final MemorySegment completion;
  private final String object;
  private final Set<Integer> accepted;

  Submission(Librados library, MemorySegment completion, String object, Set<Integer> accepted) {
    this.library = library;
    this.completion = completion;
    this.object = object;
    this.accepted = accepted;
  }

  /**
   * Waits until all replicas have stored the change.
   *
   * @throws RadosException if the change failed with an error number that is not accepted
   */
  public void await() {
    int result;
    try {
      int unused = (int) library.awaitCompletion.invokeExact(completion);
      result = (int) library.completionResult.invokeExact(completion);
      library.releaseCompletion.invokeExact(completion);
    } catch (Throwable e) {
      throw Librados.unchecked(e);
    }
    if (result < 0 && !accepted.contains(-result)) {
      throw new RadosException("rados_aio_write_op_operate", object, -result);
    }
  }
}
