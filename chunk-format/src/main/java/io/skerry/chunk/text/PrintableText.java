package io.skerry.chunk.text;

import java.util.Locale;

/**
 * Converts text from a file to a form that is safe to print. Control characters (C0, DEL, C1), line
 * and paragraph separators, direction marks and other invisible format characters, and lone
 * surrogates are replaced by {@code \}{@code uXXXX}, or by {@code \}{@code UXXXXXXXX} above the
 * Basic Multilingual Plane. Unescaped, they could control a terminal, forge a line, or disguise a
 * name.
 */
public final class PrintableText {
  /**
   * The length of the longest text that {@link #message} returns in full, in characters before
   * escaping; a longer text is shortened in the middle.
   */
  public static final int LONGEST_MESSAGE = 4096;

  private PrintableText() {}

  /** Returns the text as one line, with unsafe characters escaped. Local. */
  public static String text(String text) {
    if (text.codePoints().allMatch(PrintableText::isPlain)) {
      return text;
    }
    StringBuilder shown = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> append(c, shown));
    return shown.toString();
  }

  /**
   * Returns the text in double quotes as one line, with unsafe characters, quotes and backslashes
   * escaped. Local.
   */
  public static String quoted(String text) {
    return '"' + text(text.replace("\\", "\\\\").replace("\"", "\\\"")) + '"';
  }

  /**
   * Returns the text as one line, with unsafe characters escaped and backslashes doubled, so that
   * different texts give different results. The result has no two consecutive spaces and no space
   * at either end, so a caller can separate fields by two spaces. Local.
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

  /**
   * Returns a message as one line, with unsafe characters escaped. If the text is longer than
   * {@link #LONGEST_MESSAGE}, its middle is replaced by the number of omitted characters. Local.
   */
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

  /** Returns whether a code point is printed unchanged. Local. */
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
