package io.skerry.testkit.fault;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Observes each {@link FileCall} before it is executed, and may make the call fail. A probe that
 * serves several ranks of a JVM must be thread-safe.
 */
@FunctionalInterface
public interface FileProbe {
  /**
   * Observes a call on a file before it is executed.
   *
   * @param rank the calling rank
   * @param view the blocks that the call writes or reads; empty for a call that does neither
   * @param data the bytes that the call writes; empty for a call that is not a write
   * @return the exception with which the call fails on this rank; empty to let the call proceed.
   *     Even if a collective call must fail, the rank takes part in it, without data.
   */
  Optional<MpiException> before(int rank, FileCall call, FileView view, MemorySegment data);

  /** Returns the exception with which MPI reports a full device. */
  static MpiException noSpace(int rank, FileCall call) {
    return new MpiException(
        call.name(), MpiErrorClass.NO_SPACE, 0, "No space left on device", "probed", rank);
  }

  /** Returns the exception with which MPI reports a failing device. */
  static MpiException deviceFails(int rank, FileCall call) {
    return new MpiException(call.name(), MpiErrorClass.IO, 0, "Input/output error", "probed", rank);
  }
}
