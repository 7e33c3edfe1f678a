package io.skerry.parallel;

import io.skerry.mpi.CallOrder;

/**
 * The kinds of collective operations. Every agreement among the ranks compares the kinds of their
 * operations, so that ranks in different operations throw an exception instead of waiting for each
 * other.
 */
public enum Operation {
  CREATE_FILE,
  OPEN_FILE,
  CREATE_OBJECT,
  OPEN_OBJECT,
  WRITE_ATTRIBUTE,
  LINK,
  UNLINK,
  MOVE,
  COPY,
  WRITE,
  ERASE,
  READ,
  DEFINED,
  EXTEND,
  FLUSH,
  TRANSACTION,
  CLOSE,
  DISCARD,
  USER;

  /**
   * Returns whether the operation changes a file. A file that is open for reading refuses such
   * operations. Returns false for a transaction, since it may only read versions; the actions of a
   * transaction determine whether it is refused. Local, thread-safe; does not fail.
   */
  public boolean changesFile() {
    return switch (this) {
      case CREATE_FILE,
          CREATE_OBJECT,
          WRITE_ATTRIBUTE,
          LINK,
          UNLINK,
          MOVE,
          COPY,
          WRITE,
          ERASE,
          EXTEND,
          FLUSH ->
          true;
      case OPEN_FILE, OPEN_OBJECT, READ, DEFINED, TRANSACTION, CLOSE, DISCARD, USER -> false;
    };
  }

  /**
   * Returns the effect of the operation on later calls on the file. Local, thread-safe; does not
   * fail.
   */
  public CallOrder.Call.Kind kind() {
    return this == CLOSE || this == DISCARD
        ? CallOrder.Call.Kind.CLOSING
        : CallOrder.Call.Kind.ORDINARY;
  }

  /**
   * Returns whether the operation opens or creates an object. Local, thread-safe; does not fail.
   */
  public boolean opensObjects() {
    return this == OPEN_OBJECT || this == CREATE_OBJECT;
  }

  /**
   * Returns whether all ranks run the steps of the operation at the same time, because a step may
   * read a second file. In all other operations, rank 0 runs a step first and shares the metadata
   * that it has read. Local, thread-safe; does not fail.
   */
  public boolean readsOtherFiles() {
    return this == COPY;
  }
}
