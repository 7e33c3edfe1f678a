package io.skerry.testkit.fault;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.file.FileView;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * Sees every call on a file before it is made. One probe may serve all ranks of a JVM and must then
 * be safe for their threads.
 */
@FunctionalInterface
public interface FileProbe {
  /**
   * @param rank who calls
   * @param view what it writes or reads; empty for other calls
   * @param data what it writes; empty for other calls
   * @return how the call is to fail: on this rank, after it took part empty-handed
   */
  Optional<MpiException> before(int rank, FileCall call, FileView view, MemorySegment data);

  /** A full device, as MPI reports it. */
  static MpiException noSpace(int rank, FileCall call) {
    return new MpiException(
        call.name(), MpiErrorClass.NO_SPACE, 0, "No space left on device", "probed", rank);
  }

  /** A device that fails, as MPI reports it. */
  static MpiException deviceFails(int rank, FileCall call) {
    return new MpiException(call.name(), MpiErrorClass.IO, 0, "Input/output error", "probed", rank);
  }
}
