package io.skerry.jobs.report;

import io.skerry.chunk.text.PrintableText;
import io.skerry.selection.Shape;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;

/** A JSON value (RFC 8259, 2017). Its text is a single line. */
public sealed interface Json {

  record Text(String value) implements Json {}

  record Whole(long value) implements Json {}

  /** An integer of any size. */
  record Big(BigInteger value) implements Json {}

  /** A finite number; JSON cannot represent infinities and NaN. */
  record Real(double value) implements Json {
    public Real {
      if (!Double.isFinite(value)) {
        throw new IllegalArgumentException("no number in JSON: value=" + value);
      }
    }
  }

  enum Truth implements Json {
    TRUE,
    FALSE
  }

  enum Nothing implements Json {
    NULL
  }

  record Items(List<Json> values) implements Json {
    public Items {
      values = List.copyOf(values);
    }
  }

  record Member(String name, Json value) {}

  /** An object, whose members keep their order. */
  record Members(List<Member> members) implements Json {
    public Members {
      members = List.copyOf(members);
    }

    /** Returns a copy with one more member at the end. */
    public Members with(String name, Json value) {
      var more = new ArrayList<>(members);
      more.add(new Member(name, value));
      return new Members(more);
    }

    public Members with(String name, long value) {
      return with(name, new Whole(value));
    }

    public Members with(String name, double value) {
      return with(name, new Real(value));
    }

    public Members with(String name, String value) {
      return with(name, new Text(value));
    }
  }

  /** Returns an object without members. */
  static Members object() {
    return new Members(List.of());
  }

  static Json truth(boolean value) {
    return value ? Truth.TRUE : Truth.FALSE;
  }

  /** Returns an array of integers. */
  static Json numbers(List<Long> values) {
    return new Items(values.stream().<Json>map(Whole::new).toList());
  }

  /**
   * Returns an array of maximum extents; an unlimited extent becomes the string {@code
   * "unlimited"}.
   */
  static Json limits(List<Long> values) {
    return new Items(
        values.stream()
            .<Json>map(v -> v == Shape.UNLIMITED ? new Text("unlimited") : new Whole(v))
            .toList());
  }

  /** Returns an array of strings. */
  static Json texts(List<String> values) {
    return new Items(values.stream().<Json>map(Text::new).toList());
  }

  /** Returns the JSON text of the value. */
  default String text() {
    var text = new StringBuilder();
    append(text);
    return text.toString();
  }

  private void append(StringBuilder to) {
    switch (this) {
      case Text string -> quote(string.value(), to);
      case Whole number -> to.append(number.value());
      case Big number -> to.append(number.value());
      case Real number -> to.append(number.value());
      case Truth truth -> to.append(truth.name().toLowerCase(Locale.ROOT));
      case Nothing nothing -> to.append(nothing.name().toLowerCase(Locale.ROOT));
      case Items items -> {
        String before = "[";
        for (Json value : items.values()) {
          value.append(to.append(before));
          before = ", ";
        }
        to.append(items.values().isEmpty() ? "[]" : "]");
      }
      case Members object -> {
        to.append('{');
        for (Iterator<Member> i = object.members().iterator(); i.hasNext(); ) {
          Member member = i.next();
          quote(member.name(), to);
          member.value().append(to.append(": "));
          to.append(i.hasNext() ? ", " : "");
        }
        to.append('}');
      }
    }
  }

  private static void quote(String value, StringBuilder to) {
    to.append('"');
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      if (c == '"' || c == '\\') {
        to.append('\\').append(c);
      } else if (PrintableText.isPlain(c)) {
        to.append(c);
      } else {
        to.append("\\u%04x".formatted((int) c));
      }
    }
    to.append('"');
  }
}
