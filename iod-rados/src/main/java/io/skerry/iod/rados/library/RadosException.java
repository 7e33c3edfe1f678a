package io.skerry.iod.rados.library;

import java.util.Map;

/** Thrown if a function of librados fails. */
public final class RadosException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The error numbers of Linux that callers distinguish. */
  public static final int NOT_PERMITTED = 1;

  public static final int NO_ENTRY = 2;
  public static final int DENIED = 13;
  public static final int BUSY = 16;
  public static final int EXISTS = 17;
  public static final int NO_SPACE = 28;
  public static final int READ_ONLY = 30;
  public static final int TOO_LONG = 36;
  public static final int NO_DATA = 61;
  public static final int BLOCKED = 108;
  public static final int TIMED_OUT = 110;
  public static final int QUOTA = 122;
  public static final int CANCELED = 125;

  private static final Map<Integer, String> TEXTS =
      Map.ofEntries(
          Map.entry(NOT_PERMITTED, "operation not permitted"),
          Map.entry(NO_ENTRY, "no such entry"),
          Map.entry(DENIED, "permission denied"),
          Map.entry(BUSY, "busy"),
          Map.entry(EXISTS, "exists already"),
          Map.entry(NO_SPACE, "no space left"),
          Map.entry(READ_ONLY, "read only"),
          Map.entry(TOO_LONG, "name too long"),
          Map.entry(NO_DATA, "no such attribute"),
          Map.entry(BLOCKED, "the cluster has blocked this client"),
          Map.entry(TIMED_OUT, "timed out, the cluster is unreachable, too slow or full"),
          Map.entry(QUOTA, "quota exceeded"),
          Map.entry(CANCELED, "compared values differ"));

  private final int number;

  RadosException(String function, String subject, int number) {
    super(
        function
            + " failed: "
            + TEXTS.getOrDefault(number, "error")
            + " ("
            + number
            + ")"
            + (subject.isEmpty() ? "" : " object=" + subject));
    this.number = number;
  }

  /** Returns the error number, which is positive. */
  public int number() {
    return number;
  }
}
