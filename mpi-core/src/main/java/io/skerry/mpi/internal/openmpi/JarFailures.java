package io.skerry.mpi.internal.openmpi;

import io.skerry.mpi.MpiErrorClass;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.internal.jar.JarClasses;
import java.lang.invoke.MethodHandle;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Converts exceptions thrown by the Java bindings to exceptions of this module. */
final class JarFailures {
  private static final String EXCEPTION = "mpi.MPIException";

  private static final Map<MpiErrorClass, List<String>> NAMES =
      Map.of(
          MpiErrorClass.TRUNCATED, List.of("ERR_TRUNCATE"),
          MpiErrorClass.NO_SUCH_FILE, List.of("ERR_NO_SUCH_FILE"),
          MpiErrorClass.ACCESS, List.of("ERR_ACCESS", "ERR_READ_ONLY", "ERR_BAD_FILE"),
          MpiErrorClass.NO_SPACE, List.of("ERR_NO_SPACE", "ERR_QUOTA"),
          MpiErrorClass.IO, List.of("ERR_IO", "ERR_FILE", "ERR_FILE_IN_USE"),
          MpiErrorClass.USAGE,
              List.of(
                  "ERR_BUFFER",
                  "ERR_COUNT",
                  "ERR_TYPE",
                  "ERR_TAG",
                  "ERR_COMM",
                  "ERR_RANK",
                  "ERR_REQUEST",
                  "ERR_ROOT",
                  "ERR_OP",
                  "ERR_ARG",
                  "ERR_AMODE"));

  private final Class<?> thrown;
  private final MethodHandle code;
  private final MethodHandle errorClass;
  private final Map<Integer, MpiErrorClass> classes = new HashMap<>();

  JarFailures(JarClasses jar) {
    thrown = jar.named(EXCEPTION);
    code = jar.method(EXCEPTION, "getErrorCode", int.class);
    errorClass = jar.method(EXCEPTION, "getErrorClass", int.class);
    NAMES.forEach((ours, names) ->
        names.forEach(name -> classes.put((int) jar.constant("mpi.MPI", name), ours)));
  }

  /**
   * Returns the exception for an {@code MPIException} that a call threw. An {@link MpiException} is
   * returned unchanged; any other throwable is thrown again, wrapped if it is checked.
   */
  MpiException of(Throwable failure, String operation, String communicator, int rank) {
    switch (failure) {
      case MpiException ours -> {
        return ours;
      }
      case Error e -> throw e;
      case Throwable other when !thrown.isInstance(other) ->
          throw other instanceof RuntimeException e
              ? e
              : new IllegalStateException("Open MPI's jar threw something unknown", other);
      case Throwable theirs -> {
        var exception =
            new MpiException(
                operation,
                classes.getOrDefault(number(errorClass, theirs), MpiErrorClass.OTHER),
                number(code, theirs),
                Objects.requireNonNullElse(theirs.getMessage(), "unknown error"),
                communicator,
                rank);
        exception.initCause(theirs);
        return exception;
      }
    }
  }

  private static int number(MethodHandle getter, Throwable theirs) {
    try {
      return (int) getter.invokeExact((Object) theirs);
    } catch (Throwable t) {
      throw new IllegalStateException("a plain getter failed", t);
    }
  }
}
