package io.skerry.mpi.internal.base;

import java.util.HashMap;
import java.util.Map;

/** Hints for files that lose no error, where the user has not asked otherwise. */
final class FileHints {
  // In ROMIO, a rank that writes for others and fails returns at once, and they wait for ever in
  // the same call. Here each rank writes what it owns, most of it side by side, so that there is
  // little to gather. Sieved writes would read, modify and write bytes of other ranks.
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "romio_cb_write", "disable",
          "romio_cb_read", "disable",
          "romio_ds_write", "disable");

  private FileHints() {}

  /** The user's hints and what they leave open. */
  static Map<String, String> with(Map<String, String> asked) {
    var hints = new HashMap<>(DEFAULTS);
    hints.putAll(asked);
    return Map.copyOf(hints);
  }
}
