package io.skerry.integration.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A structure of a file.
 *
 * @param kind its signature, or what it is if it has none
 * @param from its first byte
 * @param to the byte behind it, or behind what is taken for it where it does not tell its length
 * @param body the byte behind the fields of known meaning
 * @param fields those of known meaning
 */
record Structure(String kind, int from, int to, int body, List<Field> fields) {
  private static final int[] WIDTHS = {1, 1, 2, 4, 8};

  Structure {
    fields = List.copyOf(fields);
  }

  /** One of the fields of known meaning, or a number anywhere behind them. */
  Field draw(SplittableRandom random) {
    boolean known = !fields.isEmpty() && (body >= to || random.nextInt(5) < 3);
    if (known) {
      return fields.get(random.nextInt(fields.size()));
    }
    int start = body < to ? body : from;
    int at = start + random.nextInt(to - start);
    int width = Math.min(WIDTHS[random.nextInt(WIDTHS.length)], to - at);
    return new Field(kind + "+" + (at - from), FieldKind.UNKNOWN, at, width);
  }
}
