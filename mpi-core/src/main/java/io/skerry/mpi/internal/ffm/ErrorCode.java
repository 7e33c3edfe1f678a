package io.skerry.mpi.internal.ffm;

import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import java.lang.foreign.Arena;

/** Converts error codes of MPI functions to exceptions. */
final class ErrorCode {
  static final int SUCCESS = 0;

  private ErrorCode() {}

  /** Throws the exception for a code unless the code is {@link #SUCCESS}. */
  static void check(int code, String operation, String communicator, int rank) {
    if (code != SUCCESS) {
      throw exception(code, operation, communicator, rank);
    }
  }

  /** Returns the exception for a code other than {@link #SUCCESS}. */
  static MpiException exception(int code, String operation, String communicator, int rank) {
    try (var arena = Arena.ofConfined()) {
      var number = arena.allocate(JAVA_INT);
      var errorClass =
          SessionCalls.errorClass(code, number) == SUCCESS
              ? Libmpi.ABI.errorClass(number.get(JAVA_INT, 0))
              : MpiErrorClass.OTHER;
      var text = arena.allocate(Libmpi.ABI.maxErrorString());
      var known = SessionCalls.errorString(code, text, number) == SUCCESS;
      return new MpiException(
          operation,
          errorClass,
          code,
          known ? text.getString(0) : "unknown error",
          communicator,
          rank);
    }
  }
}
