package io.skerry.iod.engine;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * The location of a container: the scheme of its engine and a path that the engine interprets, such
 * as {@code iod:run} or {@code iod+rados://pool/run}.
 *
 * @param scheme the scheme in lower case
 * @param path the text after the colon, which is not empty
 */
public record EngineLocation(String scheme, String path) {
  private static final Pattern SCHEME = Pattern.compile("[a-z][a-z0-9+.-]*");

  /**
   * Creates a location.
   *
   * @throws IllegalArgumentException if the scheme is not a lower-case scheme as in RFC 3986, or
   *     the path is empty
   */
  public EngineLocation {
    if (!SCHEME.matcher(scheme).matches() || path.isEmpty()) {
      throw new IllegalArgumentException(
          "location of a container: expected=scheme:path actual=" + scheme + ":" + path);
    }
  }

  /**
   * Splits a location at its first colon.
   *
   * @throws IllegalArgumentException if the text has no scheme, or nothing follows the colon
   */
  public static EngineLocation of(String text) {
    int colon = text.indexOf(':');
    return new EngineLocation(
        text.substring(0, Math.max(colon, 0)).toLowerCase(Locale.ROOT), text.substring(colon + 1));
  }

  @Override
  public String toString() {
    return scheme + ":" + path;
  }
}
