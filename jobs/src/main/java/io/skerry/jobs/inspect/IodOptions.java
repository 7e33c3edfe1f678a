package io.skerry.jobs.inspect;

import io.skerry.spi.Connectors;

/**
 * The options of one run of {@code skerry iod}.
 *
 * @param action the action
 * @param container the location of the container
 */
public record IodOptions(Action action, Connectors.Location container) {
  /** The scheme of containers. */
  private static final String SCHEME = "iod";

  /** The actions. */
  public enum Action {
    /** Prints the container object by object. */
    DUMP
  }

  /**
   * Returns the location of a container.
   *
   * @param text the folder of the container, or a location such as {@code iod:run}
   */
  public static Connectors.Location container(String text) {
    Connectors.Location given = Connectors.Location.parse(text);
    return given.scheme().isPresent() ? given : Connectors.Location.parse(SCHEME + ":" + text);
  }
}
