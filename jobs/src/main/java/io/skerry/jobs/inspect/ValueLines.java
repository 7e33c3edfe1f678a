package io.skerry.jobs.inspect;

import io.skerry.chunk.text.PrintableText;
import io.skerry.value.Value;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Prints a heading, then the values as text, several per line if they are short. Each line of
 * values begins with the coordinates of its first value; a scalar has no coordinates.
 */
final class ValueLines implements ValuePrinter {
  private static final int WIDTH = 96;

  private final PrintWriter out;
  private final StringBuilder line = new StringBuilder();
  private long[] next = new long[0];

  ValueLines(PrintWriter out) {
    this.out = out;
  }

  @Override
  public void begin(String name, String shape, String type) {
    out.println(PrintableText.text(name + "  " + shape + " " + type));
  }

  @Override
  public void value(long[] coordinates, Optional<Value> value) {
    String text = value.map(Value::toString).orElse("-");
    boolean follows = !line.isEmpty() && Arrays.equals(coordinates, next);
    if (!follows || line.length() + text.length() > WIDTH) {
      newLine();
      line.append(prefix(coordinates)).append(text);
    } else {
      line.append(", ").append(text);
    }
    next = coordinates.clone();
    if (next.length > 0) {
      next[next.length - 1]++;
    }
  }

  private static String prefix(long[] coordinates) {
    return coordinates.length == 0
        ? ""
        : Arrays.stream(coordinates)
            .mapToObj(Long::toString)
            .collect(Collectors.joining(",", "(", "): "));
  }

  private void newLine() {
    if (!line.isEmpty()) {
      out.println(line);
      line.setLength(0);
    }
  }

  @Override
  public void end() {
    newLine();
    out.flush();
  }
}
