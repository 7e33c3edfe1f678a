package io.skerry.collective;

/**
 * What all ranks are doing together. The code travels with every agreement, so that ranks which
 * took different paths find out instead of waiting for each other.
 */
public enum Operation {
  CREATE_FILE,
  OPEN_FILE,
  CREATE_OBJECT,
  OPEN_OBJECT,
  WRITE_ATTRIBUTE,
  WRITE,
  ERASE,
  READ,
  DEFINED,
  EXTEND,
  FLUSH,
  CLOSE,
  USER;

  /** Positive and stable within one version of Skerry. */
  long code() {
    return ordinal() + 1L;
  }

  /** The operation with that code, as text; for messages. */
  static String nameOf(long code) {
    return code >= 1 && code <= values().length ? values()[(int) code - 1].name() : "code " + code;
  }
}
