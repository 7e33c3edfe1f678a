package io.skerry.internal.dataset.virtual.source;

import static java.util.stream.Collectors.joining;

import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * The virtual datasets that one read has reached, each a source of the one before it. Limits their
 * number and the number of requests for sources of virtual sources, which may grow exponentially
 * with the number of levels. Not thread-safe.
 */
final class VirtualChain {
  /** The maximum number of virtual datasets in the chain. */
  static final int MOST_LEVELS = 32;

  /** The maximum number of requests for sources of virtual sources in one read. */
  static final long MOST_NESTED = 1L << 22;

  private final Set<String> names = new LinkedHashSet<>();
  private long nested;

  /**
   * Adds a virtual dataset.
   *
   * @param name the path of its file and its own path
   * @throws FormatException if the dataset is already in the chain
   * @throws UnsupportedFeatureException if the chain is too long
   */
  void enter(String name) {
    if (names.contains(name)) {
      throw new FormatException(
          "a virtual dataset is its own source", "other datasets", since(name));
    }
    if (names.size() == MOST_LEVELS) {
      throw new UnsupportedFeatureException(
          "a chain of more than " + MOST_LEVELS + " virtual datasets", name);
    }
    if (names.isEmpty()) {
      nested = 0;
    }
    names.add(name);
  }

  /** Returns whether no virtual dataset is being read. */
  boolean isEmpty() {
    return names.isEmpty();
  }

  /** Removes the most recently added virtual dataset. */
  void leave(String name) {
    names.remove(name);
  }

  /**
   * Counts a request for a source of the last dataset.
   *
   * @param path the path of the last dataset
   * @throws UnsupportedFeatureException if the read requests too many sources of virtual sources
   */
  void count(String path) {
    if (names.size() > 1 && ++nested > MOST_NESTED) {
      throw new UnsupportedFeatureException(
          "a read of more than " + MOST_NESTED + " sources of virtual sources", path);
    }
  }

  /**
   * Returns the names of the datasets, starting with the given name, followed by that name again.
   */
  private String since(String name) {
    return names.stream().dropWhile(other -> !other.equals(name)).collect(joining(" -> "))
        + " -> "
        + name;
  }
}
