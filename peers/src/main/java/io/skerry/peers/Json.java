package io.skerry.peers;

import java.util.List;

/** Formats the JSON that reports need. */
final class Json {
  private Json() {}

  /** Returns a string as a JSON literal. */
  static String text(String value) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        out.append('\\').append(c);
      } else if (c < ' ') {
        out.append(String.format("\\u%04x", (int) c));
      } else {
        out.append(c);
      }
    }
    return out.append('"').toString();
  }

  /** Returns an object with members that are already formatted as JSON. */
  static String object(List<String> members) {
    return "{" + String.join(", ", members) + "}";
  }
}
