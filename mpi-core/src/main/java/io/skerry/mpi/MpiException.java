package io.skerry.mpi;

import java.io.Serial;

/**
 * Thrown if MPI cannot be started, if message passing fails, or if an operation on a file opened on
 * a communicator fails.
 */
public final class MpiException extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  private final String operation;
  private final MpiErrorClass errorClass;
  private final int code;
  private final String text;
  private final String communicator;
  private final int rank;

  /**
   * Creates the exception for a failed call. Local, thread-safe; does not fail.
   *
   * @param operation the call that failed, such as {@code openFile}
   * @param errorClass the class of the failure
   * @param code the MPI error code, or 0 if the failure has none
   * @param text the description of the failure
   * @param communicator the name of the communicator
   * @param rank the rank that throws, numbered in that communicator; -1 if it is unknown, for
   *     example because starting MPI has failed
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

  /**
   * Creates an exception, with a cause, for a failed call that has no MPI error code. Local,
   * thread-safe; does not fail.
   *
   * @param operation the call that failed, such as {@code openFile}
   * @param errorClass the class of the failure
   * @param text the description of the failure
   * @param communicator the name of the communicator
   * @param rank the rank that throws, numbered in that communicator; -1 if it is unknown, for
   *     example because starting MPI has failed
   * @param cause the cause of the failure
   */
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

  /**
   * Returns the name of the call that failed, such as {@code openFile}. Local, thread-safe; does
   * not fail.
   */
  public String operation() {
    return operation;
  }

  /** Returns the class of the failure. Local, thread-safe; does not fail. */
  public MpiErrorClass errorClass() {
    return errorClass;
  }

  /** Returns the MPI error code, or 0 if there is none. Local, thread-safe; does not fail. */
  public int code() {
    return code;
  }

  /**
   * Returns the description of the failure, without the other fields that the message of this
   * exception contains. Local, thread-safe; does not fail.
   */
  public String text() {
    return text;
  }

  /**
   * Returns the name of the communicator on which the call was made. Local, thread-safe; does not
   * fail.
   */
  public String communicator() {
    return communicator;
  }

  /**
   * Returns the rank that threw this exception, numbered in the communicator named by {@link
   * #communicator}; -1 if it is unknown, for example because starting MPI has failed. Local,
   * thread-safe; does not fail.
   */
  public int rank() {
    return rank;
  }
}
