package io.skerry.collective.share;

import java.util.Optional;

/**
 * The result of a rank's search for a source.
 *
 * @param name the name of the source, which is equal on all ranks
 * @param presence an indication of whether the rank has found the source
 */
public record Sighting(String name, Presence presence) {
  /** Indicates whether a rank has found a source. */
  public enum Presence {
    FOUND,
    MISSING;

    /** Returns whether a search has found a source. */
    public static Presence of(Optional<?> found) {
      return found.isPresent() ? FOUND : MISSING;
    }
  }
}
