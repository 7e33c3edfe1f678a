package io.skerry.mpi.internal.base;

import java.time.Duration;
import java.util.Optional;

/**
 * The time limit for waiting for other ranks in a collective call. {@link #ofProperty} reads it
 * from the system property {@code skerry.patience}, a number of seconds; 0 means no limit, and the
 * default is 300 seconds.
 *
 * @param limit the limit; empty if there is none
 */
public record WaitLimit(Optional<Duration> limit) {
  private static final String PROPERTY = "skerry.patience";
  private static final long DEFAULT_SECONDS = 300;

  /** The longest limit whose nanoseconds fit in a {@code long}. */
  private static final Duration LONGEST = Duration.ofNanos(Long.MAX_VALUE);

  /** No limit. */
  public static final WaitLimit UNLIMITED = new WaitLimit(Optional.empty());

  /**
   * Reads the limit from the system property.
   *
   * @throws IllegalArgumentException if the property is not a number of seconds
   */
  public static WaitLimit ofProperty() {
    String text = System.getProperty(PROPERTY, Long.toString(DEFAULT_SECONDS));
    try {
      long seconds = Long.parseLong(text.strip());
      if (seconds >= 0) {
        return seconds == 0 ? UNLIMITED : new WaitLimit(Optional.of(Duration.ofSeconds(seconds)));
      }
    } catch (NumberFormatException e) {
      throw refused(text, e);
    }
    throw refused(text, new NumberFormatException("negative"));
  }

  private static IllegalArgumentException refused(String text, NumberFormatException cause) {
    return new IllegalArgumentException(
        "a patience is a number of seconds, 0 for no limit: " + PROPERTY + "=" + text, cause);
  }

  /** Returns the limit in nanoseconds; {@link Long#MAX_VALUE} if there is none. */
  public long nanos() {
    return limit
        .filter(duration -> duration.compareTo(LONGEST) < 0)
        .map(Duration::toNanos)
        .orElse(Long.MAX_VALUE);
  }

  /** Returns the limit in whole seconds; 0 if there is none. */
  public long seconds() {
    return limit.map(Duration::toSeconds).orElse(0L);
  }
}
