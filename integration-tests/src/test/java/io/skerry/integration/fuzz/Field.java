package io.skerry.integration.fuzz;

/**
 * A little-endian number in a file.
 *
 * @param at offset of the first byte
 * @param width number of bytes, 1 to 8
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
