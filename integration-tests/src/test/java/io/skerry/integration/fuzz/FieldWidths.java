package io.skerry.integration.fuzz;

/**
 * The widths of addresses and lengths in a file.
 *
 * @param address width of an address in bytes
 * @param length width of a length in bytes
 */
record FieldWidths(int address, int length) {
  /** Returns the widths in the first superblock of a file, or 8 and 8 if there is none. */
  static FieldWidths of(byte[] file) {
    for (int at = 0; at + 48 <= file.length; at = at == 0 ? 512 : at * 2) {
      if (file[at] == (byte) 0x89 && file[at + 1] == 'H' && file[at + 2] == 'D') {
        int sizes = at + (file[at + 8] < 2 ? 13 : 9);
        return new FieldWidths(file[sizes], file[sizes + 1]);
      }
    }
    return new FieldWidths(8, 8);
  }

  int bytes(char width) {
    return switch (width) {
      case 'O' -> address;
      case 'L' -> length;
      default -> width - '0';
    };
  }
}
