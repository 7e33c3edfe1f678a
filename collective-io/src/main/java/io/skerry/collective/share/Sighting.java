package io.skerry.collective.share;

/**
 * What a rank has found under the name of a source.
 *
 * @param name the name, which is equal on all ranks
 * @param presence whether there is a source
 */
public record Sighting(String name, Presence presence) {
  /** The presence of a source. */
  public enum Presence {
    FOUND,
    MISSING
  }
}
