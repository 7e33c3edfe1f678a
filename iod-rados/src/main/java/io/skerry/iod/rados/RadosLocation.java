package io.skerry.iod.rados;

import io.skerry.iod.engine.EngineLocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A location in a pool: {@code //POOL/NAME}, or the same with a single leading slash, and options
 * after a question mark, as in {@code //pool/run?conf=ceph.conf&user=ann}.
 *
 * @param pool the name of the pool
 * @param name the name of the container, which may contain slashes
 * @param configuration the configuration file of Ceph; empty for the default ones
 * @param user the name of the user with its type
 * @param keyring the file with the key of the user; empty for that of the configuration
 * @param namespace the namespace within the pool; may be empty
 * @param stripe the maximum size of an object with data, in bytes
 * @param seconds the timeout of an operation, in seconds
 */
record RadosLocation(
    String pool,
    String name,
    Optional<String> configuration,
    String user,
    Optional<String> keyring,
    String namespace,
    int stripe,
    int seconds) {
  static final String SCHEME = "iod+rados";

  private static final Pattern FORM =
      Pattern.compile("//?([^/?\\p{Cntrl}]+)/([^?\\p{Cntrl}]*[^/?\\p{Cntrl}])(?:\\?(.*))?");

  /** RADOS limits names to 2048 bytes. */
  private static final int LONGEST_NAME = 1000;

  private static final int DEFAULT_STRIPE = 4 << 20;
  private static final int SMALLEST_STRIPE = 4 << 10;

  /** RADOS limits objects to 128 MiB and single writes to 90 MiB. */
  private static final int LARGEST_STRIPE = 64 << 20;

  private static final int DEFAULT_SECONDS = 120;

  private static final List<String> OPTIONS =
      List.of("conf", "keyring", "namespace", "stripe", "timeout", "user");

  /**
   * Parses a location.
   *
   * @throws IllegalArgumentException if the form, the scheme or an option is not permitted
   */
  static RadosLocation of(EngineLocation location) {
    Matcher parts = FORM.matcher(location.path());
    if (!location.scheme().equals(SCHEME)
        || !parts.matches()
        || parts.group(2).length() > LONGEST_NAME) {
      throw refused(location, SCHEME + "://POOL/NAME?OPTION=VALUE&...", location);
    }
    Map<String, String> options = options(location, Optional.ofNullable(parts.group(3)).orElse(""));
    String user = options.getOrDefault("user", "admin");
    return new RadosLocation(
        parts.group(1),
        parts.group(2),
        Optional.ofNullable(options.get("conf")),
        user.contains(".") ? user : "client." + user,
        Optional.ofNullable(options.get("keyring")),
        options.getOrDefault("namespace", ""),
        number(location, options, "stripe", DEFAULT_STRIPE, SMALLEST_STRIPE, LARGEST_STRIPE),
        number(location, options, "timeout", DEFAULT_SECONDS, 1, 86_400));
  }

  private static Map<String, String> options(EngineLocation location, String text) {
    Map<String, String> options = new TreeMap<>();
    for (String option : text.isEmpty() ? new String[0] : text.split("&", -1)) {
      int equals = option.indexOf('=');
      String name = option.substring(0, Math.max(0, equals));
      String value = option.substring(equals + 1);
      if (!OPTIONS.contains(name) || value.isEmpty()) {
        throw refused(location, "options among " + OPTIONS + " with values", option);
      }
      if (options.put(name, value) != null) {
        throw refused(location, "each option once", option);
      }
    }
    return options;
  }

  private static int number(
      EngineLocation location,
      Map<String, String> options,
      String name,
      int standard,
      int least,
      int most) {
    String text = options.getOrDefault(name, String.valueOf(standard));
    if (!text.matches("[0-9]{1,9}")
        || Integer.parseInt(text) < least
        || Integer.parseInt(text) > most) {
      throw refused(location, name + "=" + least + " to " + most, name + "=" + text);
    }
    return Integer.parseInt(text);
  }

  private static IllegalArgumentException refused(
      EngineLocation location, Object expected, Object actual) {
    return new IllegalArgumentException(
        "location in a pool: expected=" + expected + " actual=" + actual + " location=" + location);
  }

  /** Returns the location without options. */
  @Override
  public String toString() {
    return SCHEME + "://" + pool + "/" + name;
  }
}
