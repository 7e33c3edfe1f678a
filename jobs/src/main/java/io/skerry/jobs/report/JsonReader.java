package io.skerry.jobs.report;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Parses JSON text (RFC 8259, 2017). */
public final class JsonReader {
  /** The maximum nesting depth of arrays and objects. */
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int at;

  private JsonReader(String text) {
    this.text = text;
  }

  /**
   * Parses a text.
   *
   * @throws IllegalArgumentException if the text is not JSON, is nested deeper than 100 levels, or
   *     contains a number that is too large or has too many digits
   */
  public static Json parse(String text) {
    JsonReader reader = new JsonReader(text);
    Json value = reader.value(0);
    reader.skipSpace();
    if (reader.at < text.length()) {
      throw reader.fault("the end");
    }
    return value;
  }

  private IllegalArgumentException fault(String expected) {
    String found = at < text.length() ? "'" + text.charAt(at) + "'" : "the end";
    long line = text.substring(0, at).chars().filter(c -> c == '\n').count() + 1;
    return new IllegalArgumentException(
        "not JSON: line=%d offset=%d expected=%s actual=%s".formatted(line, at, expected, found));
  }

  private void skipSpace() {
    while (at < text.length() && " \t\r\n".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
  }

  private char next() {
    skipSpace();
    if (at == text.length()) {
      throw fault("a value");
    }
    return text.charAt(at);
  }

  private boolean take(char wanted) {
    boolean found = next() == wanted;
    at += found ? 1 : 0;
    return found;
  }

  private void require(char wanted) {
    if (!take(wanted)) {
      throw fault("'" + wanted + "'");
    }
  }

  private Json value(int depth) {
    return switch (next()) {
      case '{' -> object(deeper(depth));
      case '[' -> array(deeper(depth));
      case '"' -> new Json.Text(string());
      case 't' -> word("true", Json.Truth.TRUE);
      case 'f' -> word("false", Json.Truth.FALSE);
      case 'n' -> word("null", Json.Nothing.NULL);
      default -> number();
    };
  }

  private Json word(String word, Json value) {
    if (!text.startsWith(word, at)) {
      throw fault("a value");
    }
    at += word.length();
    return value;
  }

  /** Returns the nesting depth inside an array or object that begins at the given depth. */
  private int deeper(int depth) {
    if (depth == MAX_DEPTH) {
      throw fault("at most " + MAX_DEPTH + " levels");
    }
    return depth + 1;
  }

  private Json object(int depth) {
    require('{');
    List<Json.Member> members = new ArrayList<>();
    if (take('}')) {
      return new Json.Members(members);
    }
    do {
      if (next() != '"') {
        throw fault("a name");
      }
      String name = string();
      require(':');
      members.add(new Json.Member(name, value(depth)));
    } while (take(','));
    require('}');
    return new Json.Members(members);
  }

  private Json array(int depth) {
    require('[');
    List<Json> items = new ArrayList<>();
    if (take(']')) {
      return new Json.Items(items);
    }
    do {
      items.add(value(depth));
    } while (take(','));
    require(']');
    return new Json.Items(items);
  }

  private String string() {
    StringBuilder out = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at++);
      if (c < ' ') {
        at--;
        throw fault("no control character");
      }
      out.append(c == '\\' ? escaped() : c);
    }
    if (at == text.length()) {
      throw fault("'\"'");
    }
    at++;
    return out.toString();
  }

  private char escaped() {
    String known = "\"\\/bfnrt";
    int kind = at < text.length() ? known.indexOf(text.charAt(at)) : -1;
    if (kind >= 0) {
      at++;
      return "\"\\/\b\f\n\r\t".charAt(kind);
    }
    int end = Math.min(at + 5, text.length());
    if (!text.substring(at, end).matches("u[0-9a-fA-F]{4}")) {
      throw fault("an escape");
    }
    at += 5;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }

  private Json number() {
    int from = at;
    while (at < text.length() && "+-.eE0123456789".indexOf(text.charAt(at)) >= 0) {
      at++;
    }
    String digits = text.substring(from, at);
    if (!digits.matches("-?(0|[1-9][0-9]{0,999})(\\.[0-9]{1,999})?([eE][+-]?[0-9]{1,3})?")) {
      at = from;
      throw fault("a value");
    }
    boolean whole = digits.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    BigDecimal value = new BigDecimal(digits);
    if (!whole) {
      return new Json.Real(value.doubleValue());
    }
    return digits.length() < 19
        ? new Json.Whole(value.longValueExact())
        : new Json.Big(value.toBigIntegerExact());
  }
}
