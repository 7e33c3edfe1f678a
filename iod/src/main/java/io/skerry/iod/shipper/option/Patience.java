package io.skerry.iod.shipper.option;

/**
 * The time for which a rank waits for another one.
 *
 * @param nanos the time in nanoseconds, at least 1; {@link Long#MAX_VALUE} for no limit
 */
public record Patience(long nanos) {
  private static final String PROPERTY = "skerry.patience";
  private static final long DEFAULT_SECONDS = 300;
  private static final long NANOS = 1_000_000_000;

  /**
   * Reads the system property {@code skerry.patience}, a number of seconds; 0 means no limit, and
   * the default is 300.
   *
   * @throws IllegalArgumentException if the property is not a number of seconds
   */
  public static Patience ofProperty() {
    String text = System.getProperty(PROPERTY, Long.toString(DEFAULT_SECONDS)).strip();
    long seconds;
    try {
      seconds = Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(message(text), e);
    }
    if (seconds < 0) {
      throw new IllegalArgumentException(message(text));
    }
    boolean isLimit = seconds > 0 && seconds < Long.MAX_VALUE / NANOS;
    return new Patience(isLimit ? seconds * NANOS : Long.MAX_VALUE);
  }

  private static String message(String text) {
    return "patience: expected=a number of seconds, 0 for no limit actual="
        + text
        + " property="
        + PROPERTY;
  }

  /** Returns whether more time than this has passed since a value of {@link System#nanoTime}. */
  public boolean isExceededSince(long start) {
    return System.nanoTime() - start > nanos;
  }

  /**
   * Returns a longer patience for a rank whose peer is itself waiting, so that the peer reports the
   * cause first.
   */
  public Patience longer() {
    return new Patience(nanos > Long.MAX_VALUE / 2 ? Long.MAX_VALUE : nanos + nanos / 2);
  }

  /** Returns a third of this patience, for a rank on which other ranks are waiting. */
  public Patience shorter() {
    return nanos == Long.MAX_VALUE ? this : new Patience(Math.max(1, nanos / 3));
  }

  /** Returns the time as text for error messages. */
  public String text() {
    return nanos / 1_000_000 + " ms";
  }
}
