package io.skerry.mpi.internal.base;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * Prints lines to the standard error stream, with control characters escaped. File and object names
 * may come from other files and other ranks, and control characters in them could control a
 * terminal or forge a line. The escaping is implemented here because this module depends on no
 * other module.
 */
final class PrintedLine {
  /** Control and format characters, surrogates, and line and paragraph separators. */
  private static final Pattern HIDDEN = Pattern.compile("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]");

  private PrintedLine() {}

  /**
   * Returns the text in which each character that {@link #HIDDEN} matches is replaced by its code
   * point in hexadecimal.
   */
  static String of(String text) {
    return HIDDEN
        .matcher(text)
        .replaceAll(
            hidden -> String.format(Locale.ROOT, "\\\\u%04x", hidden.group().codePointAt(0)));
  }

  /** Prints the text as one line and flushes. */
  static void print(String text) {
    System.err.println(of(text));
    System.err.flush();
  }
}
