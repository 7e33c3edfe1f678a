package io.skerry.integration.fuzz;

/**
 * A number in a file, little-endian.
 *
 * @param at its first byte
 * @param width its bytes, 1 to 8
 */
record Field(String name, FieldKind kind, int at, int width) {
  long get(byte[] file) {
    long value = 0;
    for (int i = width - 1; i >= 0; i--) {
      value = value << 8 | (file[at + i] & 0xff);
    }
    return value;
  }

  void set(byte[] file, long value) {
    for (int i = 0; i < width; i++) {
      file[at + i] = (byte) (value >> 8 * i);
    }
  }
}
