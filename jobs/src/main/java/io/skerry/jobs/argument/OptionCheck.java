package io.skerry.jobs.argument;

/** Checks the values of options that several subcommands share. */
public final class OptionCheck {
  private OptionCheck() {}

  /**
   * Rejects a count below 1.
   *
   * @param name the name of the option, without dashes
   * @throws IllegalArgumentException if the value is 0 or negative
   */
  public static void atLeastOne(String name, int value) {
    if (value < 1) {
      throw new IllegalArgumentException("must be at least 1: " + name + "=" + value);
    }
  }
}
