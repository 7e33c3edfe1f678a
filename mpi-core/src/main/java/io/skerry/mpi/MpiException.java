package io.skerry.mpi;

import java.io.Serial;

/** A failure of message passing or of a collective file. */
public final class MpiException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String operation;
  private final MpiErrorClass errorClass;
  private final int code;
  private final String text;
  private final String communicator;
  private final int rank;

  /**
   * Creates the exception of a failed call. Local, thread-safe; does not fail.
   *
   * @param operation the call that failed, such as {@code openFile}
   * @param errorClass the class of the failure
   * @param code the MPI error code, or 0 if the failure has none
   * @param text the description of the failure
   * @param communicator the name of the communicator
   * @param rank the rank, in that communicator, that throws
   */
  public MpiException(
      String operation,
      MpiErrorClass errorClass,
      int code,
      String text,
      String communicator,
      int rank) {
    super(
        "%s: operation=%s class=%s code=%d communicator=%s rank=%d"
            .formatted(text, operation, errorClass, code, communicator, rank));
    this.operation = operation;
    this.errorClass = errorClass;
    this.code = code;
    this.text = text;
    this.communicator = communicator;
    this.rank = rank;
  }

  /** Creates the exception of a failed call with a cause. Local, thread-safe; does not fail. */
  public MpiException(
      String operation,
      MpiErrorClass errorClass,
      String text,
      String communicator,
      int rank,
      Throwable cause) {
    this(operation, errorClass, 0, text, communicator, rank);
    initCause(cause);
  }

  /** The call that failed. Local, thread-safe; does not fail. */
  public String operation() {
    return operation;
  }

  /** The class of the failure. Local, thread-safe; does not fail. */
  public MpiErrorClass errorClass() {
    return errorClass;
  }

  /** The MPI error code, or 0. Local, thread-safe; does not fail. */
  public int code() {
    return code;
  }

  /** Summary of the error, without its fields. Local, thread-safe; does not fail. */
  public String text() {
    return text;
  }

  /** The name of the communicator. Local, thread-safe; does not fail. */
  public String communicator() {
    return communicator;
  }

  /** The rank that threw. Local, thread-safe; does not fail. */
  public int rank() {
    return rank;
  }
}
