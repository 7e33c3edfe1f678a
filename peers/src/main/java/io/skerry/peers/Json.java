package io.skerry.peers;

import java.util.List;

/** As much JSON as a report needs. */
final class Json {
  private Json() {}

  /** A quoted string. */
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

  /** An object of members that are JSON already. */
  static String object(List<String> members) {
    return "{" + String.join(", ", members) + "}";
  }
}
