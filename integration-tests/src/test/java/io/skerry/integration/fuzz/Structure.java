package io.skerry.integration.fuzz;

import java.util.List;
import java.util.SplittableRandom;

/**
 * A structure in a file.
 *
 * @param kind its signature, or a name if it has no signature
 * @param from offset of its first byte
 * @param to offset after its last byte, estimated if the structure does not store its length
 * @param body offset after the known fields
 * @param fields the known fields
 */
record Structure(String kind, int from, int to, int body, List<Field> fields) {
  private static final int[] WIDTHS = {1, 1, 2, 4, 8};

  Structure {
    fields = List.copyOf(fields);
  }

  /** Draws a known field, or a number at any offset after the known fields. */
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
