package io.skerry.mpi.internal.base;

import java.util.HashMap;
import java.util.Map;

/** Default hints for files; the user's hints take precedence. */
final class FileHints {
  // In ROMIO, if a rank that writes for other ranks fails, it returns at once, and the others wait
  // forever in the same call. Skerry's ranks each write their own data, most of it contiguous, so
  // collective buffering would gain little. Data sieving on writes would read, modify and write
  // bytes of other ranks.
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "romio_cb_write", "disable",
          "romio_cb_read", "disable",
          "romio_ds_write", "disable");

  private FileHints() {}

  /** Returns the user's hints, supplemented by the defaults. */
  static Map<String, String> with(Map<String, String> requested) {
    var hints = new HashMap<>(DEFAULTS);
    hints.putAll(requested);
    return Map.copyOf(hints);
  }
}
