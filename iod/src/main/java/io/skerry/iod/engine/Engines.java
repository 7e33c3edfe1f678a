package io.skerry.iod.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;

/** Finds storage engines, which are loaded as services, by the scheme of a location. */
public final class Engines {
  private Engines() {}

  /**
   * Returns the engine of a location. Local, thread-safe.
   *
   * @throws IllegalArgumentException if no engine has the scheme; the message names those found
   */
  public static EngineProvider of(EngineLocation location) {
    List<String> known = new ArrayList<>();
    for (EngineProvider provider :
        ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())) {
      if (provider.scheme().equals(location.scheme())) {
        return provider;
      }
      known.add(provider.scheme());
    }
    throw new IllegalArgumentException(
        "no engine has the scheme: expected=one of "
            + known
            + " actual="
            + location.scheme()
            + " location="
            + location);
  }
}
