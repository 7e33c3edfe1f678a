package io.skerry.parallel;

import io.skerry.mpi.CollectiveCall;

/**
 * What all ranks are doing together. The name travels with every agreement, so that ranks which
 * took different paths find out instead of waiting for each other.
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
  CLOSE,
  DISCARD,
  USER;

  /** Returns whether it changes a file, so that one opened for reading must refuse it. */
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
      case OPEN_FILE, OPEN_OBJECT, READ, DEFINED, CLOSE, DISCARD, USER -> false;
    };
  }

  /** The effect on later calls of the file. */
  public CollectiveCall.Kind kind() {
    return this == CLOSE || this == DISCARD
        ? CollectiveCall.Kind.CLOSING
        : CollectiveCall.Kind.ORDINARY;
  }

  /** Returns whether a step of it may open a dataset. */
  public boolean opensObjects() {
    return this == OPEN_OBJECT || this == CREATE_OBJECT;
  }

  /**
   * Returns whether a step of it reads other files, which may lead to further ones that all ranks
   * have to open together: no rank may take it before the others then.
   */
  public boolean readsOtherFiles() {
    return this == COPY;
  }
}
