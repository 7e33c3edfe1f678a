package io.skerry.datatype;

/** The byte order of a number. */
public enum Endian {
  LITTLE,
  BIG,
  /**
   * VAX floating point: two-byte words, the most significant word first, each word little-endian.
   */
  VAX;

  /** Returns the suffix of this byte order in short type names. */
  String suffix() {
    return switch (this) {
      case LITTLE -> "";
      case BIG -> "be";
      case VAX -> "vax";
    };
  }
}
