package io.skerry.chunk.text;

import java.util.Locale;

/**
 * Text from a file in a form that is safe to print. Control characters of both sets (C0, DEL, C1),
 * separators of lines and paragraphs, marks of direction and other invisible format characters, and
 * lone surrogates become {@code \}{@code uXXXX}, beyond the basic plane {@code \}{@code UXXXXXXXX}:
 * they could drive a terminal, forge a line or show a name as another one.
 */
public final class PrintableText {
  /** Longest message, in characters; a longer one is shortened in the middle. */
  public static final int LONGEST_MESSAGE = 4096;

  private PrintableText() {}

  /** The text on one line. */
  public static String text(String text) {
    if (text.codePoints().allMatch(PrintableText::isPlain)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(c, shown));
    return shown.toString();
  }

  /** Returns the text in double quotes on one line; quotes and backslashes in it are escaped. */
  public static String quoted(String text) {
    return '"' + text(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  /**
   * The text on one line, different for different texts: a backslash is doubled. No two spaces
   * follow each other, and none is first or last, so that two spaces may end the field.
   */
  public static String field(String text) {
    StringBuilder shown = new StringBuilder(text.length() + 16);
    for (int at = 0; at < text.length(); at += Character.charCount(text.codePointAt(at))) {
      int c = text.codePointAt(at);
      boolean outer = at == 0 || at == text.length() - 1;
      if (c == ' ' && (outer || text.charAt(at - 1) == ' ')) {
        escape(c, shown);
      } else if (c == '\\') {
        shown.append("\\\\");
      } else {
        append(c, shown);
      }
    }
    return shown.toString();
  }

  /** A message on one line; what exceeds {@link #LONGEST_MESSAGE} is left out in the middle. */
  public static String message(String text) {
    int half = LONGEST_MESSAGE / 2;
    int left = text.length() - 2 * half;
    return left <= 0
        ? text(text)
        : text(text.substring(0, half))
            + " ["
            + left
            + " characters] "
            + text(text.substring(text.length() - half));
  }

  /** Tells whether a code point is printed as it is. */
  public static boolean isPlain(int c) {
    if (c >= ' ' && c < 0x7f) {
      return true;
    }
    return switch (Character.getType(c)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SURROGATE ->
          false;
      default -> true;
    };
  }

  private static void append(int c, StringBuilder to) {
    if (isPlain(c)) {
      to.appendCodePoint(c);
    } else {
      escape(c, to);
    }
  }

  private static void escape(int c, StringBuilder to) {
    String form = Character.isBmpCodePoint(c) ? "\\u%04x" : "\\U%08x";
    to.append(String.format(Locale.ROOT, form, c));
  }
}
