package io.skerry.parallel;

import java.util.Map;

/** The hint that MPI reserves for the size of a stripe (MPI 3.1, section 13.2.8). */
final class StripeHint {
  private static final String NAME = "striping_unit";

  private StripeHint() {}

  /**
   * Checks the given hints and returns a copy of them.
   *
   * @throws IllegalArgumentException if the size of a stripe is not a decimal number of bytes from
   *     1 to 10^12 - 1
   */
  static Map<String, String> checked(Map<String, String> hints) {
    Map<String, String> copy = Map.copyOf(hints);
    String bytes = copy.getOrDefault(NAME, "1");
    if (!bytes.matches("[1-9][0-9]{0,11}")) {
      throw new IllegalArgumentException("not a number of bytes: " + NAME + "=" + bytes);
    }
    return copy;
  }

  /** Returns the size of a stripe in bytes; 1 if the hints do not specify it. */
  static long bytes(Map<String, String> hints) {
    return Long.parseLong(hints.getOrDefault(NAME, "1"));
  }
}
