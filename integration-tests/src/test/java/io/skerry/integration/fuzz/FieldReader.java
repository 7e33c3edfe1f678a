package io.skerry.integration.fuzz;

import java.util.ArrayList;
import java.util.List;

/**
 * Lists fields from a description with one word per field: a name, a colon, the letter of its
 * {@link FieldKind}, and its width in bytes, or {@code O} for the width of an address and {@code L}
 * for that of a length.
 */
final class FieldReader {
  private final byte[] file;
  private final FieldWidths widths;
  private final List<Field> fields = new ArrayList<>();
  private final int limit;
  private int at;

  /**
   * @param at offset of the first field
   * @param limit offset after the last byte that may be part of a field
   */
  FieldReader(byte[] file, FieldWidths widths, int at, int limit) {
    this.file = file;
    this.widths = widths;
    this.at = at;
    this.limit = Math.min(limit, file.length);
  }

  /** Adds the described fields that fit below the limit. */
  FieldReader read(String description) {
    for (String word : description.split(" ")) {
      int colon = word.indexOf(':');
      one(word.substring(0, colon), FieldKind.of(word.charAt(colon + 1)), word.charAt(colon + 2));
    }
    return this;
  }

  /** Adds one field and returns its value; 0 if it does not fit. */
  long one(String name, FieldKind kind, char width) {
    int bytes = widths.bytes(width);
    if (at + bytes > limit) {
      at = limit;
      return 0;
    }
    Field field = new Field(name, kind, at, bytes);
    fields.add(field);
    at += bytes;
    return field.get(file);
  }

  int at() {
    return at;
  }

  boolean isAtEnd() {
    return at >= limit;
  }

  FieldReader skip(int bytes) {
    at = Math.min(limit, at + bytes);
    return this;
  }

  List<Field> fields() {
    return fields;
  }
}
